#pragma once
#include <sqlite3.h>
#include <errno.h>
#include <stdio.h>

/// Tells SQLite to copy what it is given; the macro's cast is beyond Swift's importer.
static inline sqlite3_destructor_type coffer_sqlite_transient(void) { return SQLITE_TRANSIENT; }

/// Makes a connection leave the log as it is when it is closed as the last one; variadic functions are not imported.
static inline int coffer_sqlite_keep_log(sqlite3 *connection) {
    return sqlite3_db_config(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}

#if defined(__linux__)
extern int renameat2(int, const char *, int, const char *, unsigned int) __attribute__((weak));
#endif

/// Gives a file a new name, unless there is a file of that name: `EEXIST` then. Where the system cannot, another error.
static inline int coffer_rename_new(const char *from, const char *to) {
#if defined(__APPLE__)
    return renamex_np(from, to, RENAME_EXCL);
#elif defined(__linux__)
    if (renameat2) return renameat2(-100, from, -100, to, 1);
    errno = ENOSYS;
    return -1;
#else
    errno = ENOSYS;
    return -1;
#endif
}
