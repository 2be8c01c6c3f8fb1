/* What Swift cannot call as sqlite3.h declares it: variadic functions and the destructor macros. */

#ifndef CSQLITE_SHIM_H
#define CSQLITE_SHIM_H

#include <sqlite3.h>

/* Switches an option of a connection that is on or off. */
static inline int csqlite_switch(sqlite3 *database, int option, int value) {
    return sqlite3_db_config(database, option, value, (int *)0);
}

/* Binds a text that SQLite copies; an empty text may have no address. */
static inline int csqlite_bind_text_copy(
    sqlite3_stmt *statement, int index, const void *text, sqlite3_uint64 length
) {
    return sqlite3_bind_text64(
        statement, index, text ? (const char *)text : "", length, SQLITE_TRANSIENT, SQLITE_UTF8
    );
}

/* Binds a text that stays where it is until the statement is reset. */
static inline int csqlite_bind_text_lent(
    sqlite3_stmt *statement, int index, const void *text, sqlite3_uint64 length
) {
    return sqlite3_bind_text64(
        statement, index, text ? (const char *)text : "", length, SQLITE_STATIC, SQLITE_UTF8
    );
}

/* Binds a blob that SQLite copies; an empty one may have no address. */
static inline int csqlite_bind_blob_copy(
    sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 length
) {
    return sqlite3_bind_blob64(
        statement, index, bytes ? bytes : "", length, SQLITE_TRANSIENT
    );
}

/* Returns a text that SQLite copies as the result of a function. */
static inline void csqlite_result_text_copy(
    sqlite3_context *context, const void *text, sqlite3_uint64 length
) {
    sqlite3_result_text64(
        context, text ? (const char *)text : "", length, SQLITE_TRANSIENT, SQLITE_UTF8
    );
}

#endif
