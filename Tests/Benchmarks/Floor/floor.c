// The minimum of `token`: open the file, find the current account's access token with one prepared query over two tables,
// print that row. Linked dynamically, without a policies file, a key or a tenant. Not a target of the package: SwiftPM links
// the Swift runtime to every executable, and a slow minimum would make `susi` look better:
//     cc -O2 -o token-floor floor.c -lsqlite3
#include <sqlite3.h>
#include <stdio.h>

static int fail(sqlite3 *connection, const char *what) {
    fprintf(stderr, "floor: %s: %s\n", what, connection ? sqlite3_errmsg(connection) : "out of memory");
    return 1;
}

int main(int count, char **arguments) {
    if (count < 2 || count > 3) {
        fprintf(stderr, "usage: token-floor FILE [QUERY]\n");
        return 64;
    }
    const char *query =
        count == 3 ? arguments[2]
                   : "SELECT k.secret FROM current_accounts AS s JOIN tokens AS k ON k.account = s.account "
                     "WHERE s.role = 'current' AND k.kind = 'access'";

    sqlite3 *connection = NULL;
    if (sqlite3_open_v2(arguments[1], &connection, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK)
        return fail(connection, "open");
    sqlite3_db_config(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);

    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v3(connection, query, -1, 0, &statement, NULL) != SQLITE_OK)
        return fail(connection, "prepare");
    if (sqlite3_step(statement) != SQLITE_ROW) return fail(connection, "no row");

    for (int column = 0; column < sqlite3_column_count(statement); column++)
        fwrite(sqlite3_column_blob(statement, column), 1, (size_t)sqlite3_column_bytes(statement, column), stdout);
    putchar('\n');

    sqlite3_finalize(statement);
    return sqlite3_close(connection) == SQLITE_OK ? 0 : 1;
}
