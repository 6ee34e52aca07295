#include <stddef.h>
#include <stdint.h>

/// Runs libFuzzer with the process's arguments; the callback gets each input.
int fuzz_run(int count, char *_Nullable *_Nonnull arguments, int (*_Nonnull callback)(const uint8_t *_Nullable, size_t));
