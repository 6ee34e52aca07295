#include "FuzzDriver.h"

int LLVMFuzzerRunDriver(int *count, char ***arguments, int (*callback)(const uint8_t *, size_t));

int fuzz_run(int count, char **arguments, int (*callback)(const uint8_t *, size_t)) {
    return LLVMFuzzerRunDriver(&count, &arguments, callback);
}
