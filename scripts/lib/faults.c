// Makes file operations of a process fail. scripts/torture preloads this library, so that the process calls its
// functions instead of the functions of the C library.
//
//   COFFER_FAULT       OPERATION:NUMBER:MODE, as in write:17:once
//     OPERATION        open, read, write, fsync or truncate
//     NUMBER           the number of the first operation that fails, counted from 1
//     MODE             once (only this operation fails), always (this and all later operations fail), or short (this
//                      operation transfers half of the bytes)
//   COFFER_FAULT_PATH  the beginning of the path of each affected file
//
// A failing operation sets errno to EIO. A failing write with an odd NUMBER sets errno to ENOSPC.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static char operation[16], mode[16];
static const char *prefix;
static long number;
static atomic_long count;

__attribute__((constructor)) static void configure(void) {
    const char *fault = getenv("COFFER_FAULT");
    prefix = getenv("COFFER_FAULT_PATH");
    if (!fault || !prefix || sscanf(fault, "%15[a-z]:%ld:%15[a-z]", operation, &number, mode) != 3) number = 0;
}

static int concerns_path(const char *path) { return number > 0 && path && !strncmp(path, prefix, strlen(prefix)); }

static int concerns(int file) {
    char link[64], path[4096];
    if (number <= 0) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length <= 0) return 0;
    path[length] = 0;
    return concerns_path(path);
}

// Returns 0 if the operation continues, 1 if it fails, and 2 if it transfers half of the bytes.
static int verdict(const char *name) {
    if (strcmp(name, operation)) return 0;
    long now = atomic_fetch_add(&count, 1) + 1;
    if (!strcmp(mode, "always")) return now >= number;
    if (now != number) return 0;
    return strcmp(mode, "short") ? 1 : 2;
}

static ssize_t fail(const char *name) {
    errno = !strcmp(name, "write") && number % 2 ? ENOSPC : EIO;
    return -1;
}

#define REAL(name) \
    static __typeof__(&name) real; \
    if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

#define TRANSFER(name, kind, parameters, arguments, half) \
    ssize_t name parameters { \
        REAL(name); \
        if (!concerns(file)) return real arguments; \
        switch (verdict(kind)) { \
        case 1: return fail(kind); \
        case 2: return real half; \
        default: return real arguments; \
        } \
    }

TRANSFER(write, "write", (int file, const void *bytes, size_t size), (file, bytes, size), (file, bytes, size / 2))
TRANSFER(pwrite, "write", (int file, const void *bytes, size_t size, off_t offset), (file, bytes, size, offset),
    (file, bytes, size / 2, offset))
TRANSFER(pwrite64, "write", (int file, const void *bytes, size_t size, off64_t offset), (file, bytes, size, offset),
    (file, bytes, size / 2, offset))
TRANSFER(read, "read", (int file, void *bytes, size_t size), (file, bytes, size), (file, bytes, size / 2))
TRANSFER(pread, "read", (int file, void *bytes, size_t size, off_t offset), (file, bytes, size, offset),
    (file, bytes, size / 2, offset))
TRANSFER(pread64, "read", (int file, void *bytes, size_t size, off64_t offset), (file, bytes, size, offset),
    (file, bytes, size / 2, offset))

#define SIMPLE(name, kind, parameters, arguments) \
    int name parameters { \
        REAL(name); \
        if (concerns(file) && verdict(kind)) return (int)fail(kind); \
        return real arguments; \
    }

SIMPLE(fsync, "fsync", (int file), (file))
SIMPLE(fdatasync, "fsync", (int file), (file))
SIMPLE(ftruncate, "truncate", (int file, off_t size), (file, size))
SIMPLE(ftruncate64, "truncate", (int file, off64_t size), (file, size))

#define OPEN(name) \
    int name(const char *path, int flags, ...) { \
        REAL(name); \
        va_list rest; \
        va_start(rest, flags); \
        mode_t rights = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0; \
        va_end(rest); \
        if (concerns_path(path) && verdict("open")) return (int)fail("open"); \
        return real(path, flags, rights); \
    }

OPEN(open)
OPEN(open64)
