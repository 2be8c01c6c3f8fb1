/* A page of a SQLite table as plain C reads it: steps one prepared statement and copies the bytes.
 *
 *   step FILE PAGES SQL [PARAMETER...]   prints the bytes copied; parameters are bound as texts, those
 *                                        that begin with # as numbers */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char page[1 << 20];

int main(int argc, char **argv) {
    sqlite3 *database;
    sqlite3_stmt *statement;
    if (argc < 4) {
        fprintf(stderr, "usage: step FILE PAGES SQL [PARAMETER...]\n");
        return 2;
    }
    if (sqlite3_open_v2(argv[1], &database, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK
        || sqlite3_prepare_v2(database, argv[3], -1, &statement, NULL) != SQLITE_OK) {
        fprintf(stderr, "%s\n", sqlite3_errmsg(database));
        return 1;
    }
    sqlite3_exec(database, "PRAGMA mmap_size=4294967296", NULL, NULL, NULL);
    size_t count = 0;
    for (int pages = atoi(argv[2]); pages > 0; pages--) {
        count = 0;
        for (int index = 4; index < argc; index++) {
            if (argv[index][0] == '#')
                sqlite3_bind_int64(statement, index - 3, atoll(argv[index] + 1));
            else
                sqlite3_bind_text(statement, index - 3, argv[index], -1, SQLITE_STATIC);
        }
        while (sqlite3_step(statement) == SQLITE_ROW) {
            int columns = sqlite3_data_count(statement);
            for (int column = 0; column < columns; column++) {
                const unsigned char *text;
                size_t length;
                if (sqlite3_column_type(statement, column) == SQLITE_INTEGER) {
                    sqlite3_int64 value = sqlite3_column_int64(statement, column);
                    memcpy(page + count, &value, sizeof value);
                    count += sizeof value;
                    continue;
                }
                text = sqlite3_column_text(statement, column);
                length = (size_t)sqlite3_column_bytes(statement, column);
                if (text && count + length < sizeof page) memcpy(page + count, text, length);
                count += length;
            }
        }
        sqlite3_reset(statement);
    }
    printf("%zu\n", count);
    return 0;
}
