/* libpq, loaded when it is first needed and not when the program starts: with what it links it
 * would be half of the memory of a server that asks no PostgreSQL, and it need not be there to
 * build. The declarations are those of libpq-fe.h, whose interface has been the same since
 * libpq.so.5 of 2006. */

#ifndef CPOSTGRES_H
#define CPOSTGRES_H

struct pg_conn;
struct pg_result;

/* ConnStatusType and PostgresPollingStatusType */
enum { CPOSTGRES_CONNECTION_OK = 0, CPOSTGRES_CONNECTION_BAD = 1 };
enum { CPOSTGRES_POLLING_FAILED = 0, CPOSTGRES_POLLING_READING, CPOSTGRES_POLLING_WRITING,
       CPOSTGRES_POLLING_OK };
/* ExecStatusType */
enum { CPOSTGRES_EMPTY_QUERY = 0, CPOSTGRES_COMMAND_OK = 1, CPOSTGRES_TUPLES_OK = 2,
       CPOSTGRES_COPY_IN = 4, CPOSTGRES_PIPELINE_SYNC = 10, CPOSTGRES_PIPELINE_ABORTED = 11 };
/* PGTransactionStatusType */
enum { CPOSTGRES_IDLE = 0, CPOSTGRES_ACTIVE = 1, CPOSTGRES_INERROR = 3 };

/* Loads the library; 0 when it is not there. Any thread may call it, at any time. */
int cpostgres_load(void);

/* The others are libpq's; cpostgres_load must have succeeded. */
struct pg_conn *cpostgres_connect_start(
    const char *const *keywords, const char *const *values, int expands_name
);
int cpostgres_connect_poll(struct pg_conn *connection);
int cpostgres_status(const struct pg_conn *connection);
int cpostgres_transaction_status(const struct pg_conn *connection);
int cpostgres_socket(const struct pg_conn *connection);
const char *cpostgres_error_message(const struct pg_conn *connection);
/* The number of the server's process as it was reported when connecting. */
int cpostgres_backend(const struct pg_conn *connection);
/* Requests the end of the running statement, by a connection of its own. It may wait forever. */
void cpostgres_cancel(struct pg_conn *connection);
void cpostgres_finish(struct pg_conn *connection);
int cpostgres_set_nonblocking(struct pg_conn *connection, int is_on);
/* Keeps the library from writing notices to standard error. */
void cpostgres_drop_notices(struct pg_conn *connection);
int cpostgres_send_query(struct pg_conn *connection, const char *sql);
int cpostgres_send_prepare(struct pg_conn *connection, const char *name, const char *sql);
/* Sends the statement that was prepared by a name, or the text if the name is null. */
int cpostgres_send(
    struct pg_conn *connection, const char *name, const char *sql, int count,
    const char *const *values
);
int cpostgres_flush(struct pg_conn *connection);
int cpostgres_consume(struct pg_conn *connection);
int cpostgres_is_busy(struct pg_conn *connection);
/* Takes the notifications that were received, and says how many there were. */
int cpostgres_take_notifications(struct pg_conn *connection);
struct pg_result *cpostgres_next_result(struct pg_conn *connection);
void cpostgres_clear(struct pg_result *result);
int cpostgres_result_status(const struct pg_result *result);
/* A field of an error: 'C' its SQLSTATE, 'M' its message; null when there is none. */
const char *cpostgres_error_field(const struct pg_result *result, int field);
int cpostgres_rows(const struct pg_result *result);
int cpostgres_columns(const struct pg_result *result);
unsigned int cpostgres_type(const struct pg_result *result, int column);
int cpostgres_is_null(const struct pg_result *result, int row, int column);
const char *cpostgres_value(const struct pg_result *result, int row, int column);
int cpostgres_length(const struct pg_result *result, int row, int column);
int cpostgres_put_copy_data(struct pg_conn *connection, const char *bytes, int count);
int cpostgres_put_copy_end(struct pg_conn *connection);
/* The number of rows that a statement changed, as digits; empty for other statements. */
const char *cpostgres_changed_rows(struct pg_result *result);
/* Whether the library has pipelines, which are of libpq 14; without them the next three must not
 * be called. */
int cpostgres_has_pipelines(void);
int cpostgres_enter_pipeline(struct pg_conn *connection);
int cpostgres_exit_pipeline(struct pg_conn *connection);
int cpostgres_sync_pipeline(struct pg_conn *connection);

#endif
