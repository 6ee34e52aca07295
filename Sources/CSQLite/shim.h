#ifndef SUSI_CSQLITE_SHIM_H
#define SUSI_CSQLITE_SHIM_H

#include <sqlite3.h>

// Swift cannot call variadic functions or the SQLITE_TRANSIENT cast; these stand in for exactly those.

static inline int susi_bind_text(sqlite3_stmt *statement, int index, const char *text, int length) {
    return sqlite3_bind_text(statement, index, text, length, SQLITE_TRANSIENT);
}

static inline int susi_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, int length) {
    return sqlite3_bind_blob(statement, index, length == 0 ? "" : bytes, length, SQLITE_TRANSIENT);
}

static inline int susi_keep_wal_on_close(sqlite3 *connection, int keeps) {
    return sqlite3_db_config(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, keeps, (int *)0);
}

// Refuses the tricks that a hostile schema can play (https://www.sqlite.org/security.html).
static inline int susi_defend(sqlite3 *connection) {
    int code = sqlite3_db_config(connection, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
    if (code != SQLITE_OK) return code;
    return sqlite3_db_config(connection, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (int *)0);
}

#endif
