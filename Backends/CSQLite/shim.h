#pragma once
#include <sqlite3.h>
#include <errno.h>
#include <stdio.h>

/// Returns the destructor with which SQLite copies the bytes that it receives.
///
/// Swift cannot import the macro, because the macro contains a cast.
static inline sqlite3_destructor_type coffer_sqlite_transient(void) { return SQLITE_TRANSIENT; }

/// Configures a connection so that it does not change the log when it is closed as the last connection.
///
/// Swift cannot import `sqlite3_db_config`, because the function is variadic.
static inline int coffer_sqlite_keep_log(sqlite3 *connection) {
    return sqlite3_db_config(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}

#if defined(__linux__)
extern int renameat2(int, const char *, int, const char *, unsigned int) __attribute__((weak));
#endif

/// Renames a file if there is no file with the new name.
///
/// If a file has the new name, `errno` is `EEXIST`. If the system cannot rename files in this way, `errno` has another
/// value.
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
