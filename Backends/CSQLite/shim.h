#pragma once
#include <sqlite3.h>

/// Tells SQLite to copy what it is given; the macro's cast is beyond Swift's importer.
static inline sqlite3_destructor_type coffer_sqlite_transient(void) { return SQLITE_TRANSIENT; }
