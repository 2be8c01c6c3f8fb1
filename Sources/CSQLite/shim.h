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

/* Returns bytes that SQLite copies as the result of a function. */
static inline void csqlite_result_blob_copy(
    sqlite3_context *context, const void *bytes, sqlite3_uint64 length
) {
    sqlite3_result_blob64(context, bytes ? bytes : "", length, SQLITE_TRANSIENT);
}

/* Copies the header of the index of the write-ahead log, 48 bytes, which every commit changes; 0 where
 * it cannot be had. To be asked of a connection that reads in write-ahead mode: another one would make
 * itself an index. The index holds its header twice and is whole where both are the same. See
 * https://sqlite.org/walformat.html#the_wal_index_header and https://sqlite.org/c3ref/io_methods.html
 */
static inline int csqlite_log_index_header(sqlite3 *database, unsigned int header[12]) {
    sqlite3_file *file = (sqlite3_file *)0;
    void volatile *region = (void *)0;
    if (sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &file) != SQLITE_OK
        || !file || !file->pMethods || file->pMethods->iVersion < 2 || !file->pMethods->xShmMap) {
        return 0;
    }
    int code = file->pMethods->xShmMap(file, 0, 32768, 0, &region);
    if ((code != SQLITE_OK && code != SQLITE_READONLY) || !region) return 0;
    const volatile unsigned int *words = (const volatile unsigned int *)region;
    for (int attempt = 0; attempt < 100; attempt++) {
        for (int place = 0; place < 12; place++) header[place] = words[place];
        file->pMethods->xShmBarrier(file);
        int place = 0;
        while (place < 12 && header[place] == words[12 + place]) place++;
        if (place == 12) return 1;
    }
    return 0;
}

#endif
