#ifndef SUSI_BENCHMARK_CLOCK_H
#define SUSI_BENCHMARK_CLOCK_H

#include <stdint.h>

/// Runs one command and returns its wall time in nanoseconds, from before the process exists until it has been waited for.
/// Its standard output is read and discarded.
///
/// `words` are separated by line feeds: first NAME=VALUE words for its environment, then the absolute path of the program,
/// then its arguments. `core` is the processor that it runs on, or -1 for any (always any on systems without a choice).
/// Returns a negative number if the program could not run or did not end with status 0: minus the status of waitpid.
int64_t susi_time_process(const char *words, int core);

#endif
