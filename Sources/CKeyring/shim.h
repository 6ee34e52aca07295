#ifndef SUSI_CKEYRING_SHIM_H
#define SUSI_CKEYRING_SHIM_H

#ifdef __linux__

#include <linux/keyctl.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

// The C library has no functions for keyrings, and Swift cannot call the variadic syscall(); these stand in for exactly
// those calls that are needed (keyrings(7), keyctl(2)). Each gives -1 and errno when the kernel refuses.

// Makes a key in the keyring of this process, which no other process can read.
static inline int32_t susi_key_make(const char *description, const void *payload, size_t length) {
    return (int32_t)syscall(SYS_add_key, "user", description, payload, length, KEY_SPEC_PROCESS_KEYRING);
}

// Finds a key in the keyring that all processes of the user share.
static inline int32_t susi_key_find(const char *description) {
    return (int32_t)syscall(SYS_keyctl, KEYCTL_SEARCH, KEY_SPEC_USER_KEYRING, "user", description, 0);
}

static inline int64_t susi_key_read(int32_t key, void *buffer, size_t length) {
    return syscall(SYS_keyctl, KEYCTL_READ, key, buffer, length);
}

static inline int susi_key_set_permissions(int32_t key, uint32_t permissions) {
    return (int)syscall(SYS_keyctl, KEYCTL_SETPERM, key, permissions);
}

static inline int susi_key_set_timeout(int32_t key, uint32_t seconds) {
    return (int)syscall(SYS_keyctl, KEYCTL_SET_TIMEOUT, key, seconds);
}

// Puts a key into the user's keyring, in the place of one with the same description.
static inline int susi_key_share(int32_t key) {
    return (int)syscall(SYS_keyctl, KEYCTL_LINK, key, KEY_SPEC_USER_KEYRING);
}

static inline int susi_key_leave_process(int32_t key) {
    return (int)syscall(SYS_keyctl, KEYCTL_UNLINK, key, KEY_SPEC_PROCESS_KEYRING);
}

// Ends a key for everybody at once.
static inline int susi_key_invalidate(int32_t key) {
    return (int)syscall(SYS_keyctl, KEYCTL_INVALIDATE, key);
}

// The serial number of the user's keyring; it is made when it is missing.
static inline int32_t susi_key_user_keyring(void) {
    return (int32_t)syscall(SYS_keyctl, KEYCTL_GET_KEYRING_ID, KEY_SPEC_USER_KEYRING, 1);
}

#endif
#endif
