#ifndef SUSI_BENCHMARK_CLOCK_H
#define SUSI_BENCHMARK_CLOCK_H

#include <stdint.h>

/// Runs one command to its end and returns its wall time in nanoseconds, from before the process exists until it has been
/// waited for; what it writes to standard output is read and thrown away.
///
/// `words` are separated by line feeds: first NAME=VALUE words for its environment, then the absolute path of the program,
/// then its arguments. `core` is the processor that it runs on, or -1 for any (always any where that cannot be chosen).
/// `peak`, unless it is null, is raised to the largest resident memory in KiB that the program had whenever it had written
/// something (Linux only). Returns a negative number when it could not be run or did not end with status 0: minus the status that waitpid gave.
int64_t susi_time_process(const char *words, int core, int64_t *peak);

#endif
