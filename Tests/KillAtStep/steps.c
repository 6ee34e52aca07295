// Kills the program that it is loaded into (LD_PRELOAD) just before its n-th change of a file, so that tests of sudden death do
// not depend on time. KILL_AT_STEP is n; each change before it is reported on standard error as "step N NAME". With 0 all
// changes are reported and the program ends by itself. Linux only.
#ifdef __linux__
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static atomic_int done;
static int last;
static ssize_t (*write_on)(int, const void *, size_t);

__attribute__((constructor)) static void start(void) {
    const char *number = getenv("KILL_AT_STEP");
    last = number ? atoi(number) : 0;
    write_on = (ssize_t (*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
    // Programs that this one starts are not meant.
    unsetenv("LD_PRELOAD");
}

static void step(const char *name) {
    int number = atomic_fetch_add(&done, 1) + 1;
    if (last > 0 && number >= last) {
        kill(getpid(), SIGKILL);
        for (;;) pause();
    }
    char line[64];
    int length = snprintf(line, sizeof line, "step %d %s\n", number, name);
    if (write_on) write_on(STDERR_FILENO, line, (size_t)length);
}

static int is_file(int file) {
    struct stat status;
    return fstat(file, &status) == 0 && S_ISREG(status.st_mode);
}

#define NEXT(name) static __typeof__(&name) next; if (!next) next = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

ssize_t write(int file, const void *bytes, size_t count) {
    NEXT(write);
    if (is_file(file)) step("write");
    return next(file, bytes, count);
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) {
    NEXT(pwrite);
    if (is_file(file)) step("pwrite");
    return next(file, bytes, count, offset);
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset) {
    NEXT(pwrite64);
    if (is_file(file)) step("pwrite");
    return next(file, bytes, count, offset);
}

int ftruncate(int file, off_t length) {
    NEXT(ftruncate);
    step("ftruncate");
    return next(file, length);
}

int ftruncate64(int file, off64_t length) {
    NEXT(ftruncate64);
    step("ftruncate");
    return next(file, length);
}

int rename(const char *old, const char *new) {
    NEXT(rename);
    step("rename");
    return next(old, new);
}

int unlink(const char *path) {
    NEXT(unlink);
    step("unlink");
    return next(path);
}
#endif
