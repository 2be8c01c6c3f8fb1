#include "cpostgres.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int is_loaded = 0;
static int has_pipelines = 0;

typedef void (*notice_receiver)(void *context, const struct pg_result *notice);

static struct {
    struct pg_conn *(*connect_start)(const char *const *keywords, const char *const *values, int expands_name);
    int (*connect_poll)(struct pg_conn *connection);
    int (*status)(const struct pg_conn *connection);
    int (*transaction_status)(const struct pg_conn *connection);
    int (*socket)(const struct pg_conn *connection);
    const char *(*error_message)(const struct pg_conn *connection);
    void (*finish)(struct pg_conn *connection);
    int (*set_nonblocking)(struct pg_conn *connection, int is_on);
    int (*send_query)(struct pg_conn *connection, const char *sql);
    int (*flush)(struct pg_conn *connection);
    int (*consume)(struct pg_conn *connection);
    int (*is_busy)(struct pg_conn *connection);
    struct pg_result *(*next_result)(struct pg_conn *connection);
    void (*clear)(struct pg_result *result);
    void *(*notifies)(struct pg_conn *connection);
    void (*free_memory)(void *memory);
    int (*result_status)(const struct pg_result *result);
    const char *(*error_field)(const struct pg_result *result, int field);
    int (*rows)(const struct pg_result *result);
    int (*columns)(const struct pg_result *result);
    unsigned int (*type)(const struct pg_result *result, int column);
    int (*is_null)(const struct pg_result *result, int row, int column);
    const char *(*value)(const struct pg_result *result, int row, int column);
    int (*length)(const struct pg_result *result, int row, int column);
    notice_receiver (*set_notice_receiver)(
        struct pg_conn *connection, notice_receiver receiver, void *context
    );
    int (*send_prepare)(
        struct pg_conn *connection, const char *name, const char *sql, int count,
        const unsigned int *types
    );
    int (*send_prepared)(
        struct pg_conn *connection, const char *name, int count, const char *const *values,
        const int *lengths, const int *formats, int result_format
    );
    int (*put_copy_data)(struct pg_conn *connection, const char *bytes, int count);
    int (*put_copy_end)(struct pg_conn *connection, const char *error);
    const char *(*changed_rows)(struct pg_result *result);
    int (*enter_pipeline)(struct pg_conn *connection);
    int (*exit_pipeline)(struct pg_conn *connection);
    int (*sync_pipeline)(struct pg_conn *connection);
} libpq;

static int find(void *library, const char *name, void *function) {
    *(void **)function = dlsym(library, name);
    return *(void **)function != NULL;
}

static void load(void) {
    void *library = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) return;
    is_loaded =
        find(library, "PQconnectStartParams", &libpq.connect_start) &&
        find(library, "PQconnectPoll", &libpq.connect_poll) &&
        find(library, "PQstatus", &libpq.status) &&
        find(library, "PQtransactionStatus", &libpq.transaction_status) &&
        find(library, "PQsocket", &libpq.socket) &&
        find(library, "PQerrorMessage", &libpq.error_message) &&
        find(library, "PQfinish", &libpq.finish) &&
        find(library, "PQsetnonblocking", &libpq.set_nonblocking) &&
        find(library, "PQsendQuery", &libpq.send_query) &&
        find(library, "PQflush", &libpq.flush) &&
        find(library, "PQconsumeInput", &libpq.consume) &&
        find(library, "PQisBusy", &libpq.is_busy) &&
        find(library, "PQgetResult", &libpq.next_result) &&
        find(library, "PQclear", &libpq.clear) &&
        find(library, "PQnotifies", &libpq.notifies) &&
        find(library, "PQfreemem", &libpq.free_memory) &&
        find(library, "PQresultStatus", &libpq.result_status) &&
        find(library, "PQresultErrorField", &libpq.error_field) &&
        find(library, "PQntuples", &libpq.rows) &&
        find(library, "PQnfields", &libpq.columns) &&
        find(library, "PQftype", &libpq.type) &&
        find(library, "PQgetisnull", &libpq.is_null) &&
        find(library, "PQgetvalue", &libpq.value) &&
        find(library, "PQgetlength", &libpq.length) &&
        find(library, "PQsetNoticeReceiver", &libpq.set_notice_receiver) &&
        find(library, "PQsendPrepare", &libpq.send_prepare) &&
        find(library, "PQsendQueryPrepared", &libpq.send_prepared) &&
        find(library, "PQputCopyData", &libpq.put_copy_data) &&
        find(library, "PQputCopyEnd", &libpq.put_copy_end) &&
        find(library, "PQcmdTuples", &libpq.changed_rows);
    has_pipelines =
        find(library, "PQenterPipelineMode", &libpq.enter_pipeline) &&
        find(library, "PQexitPipelineMode", &libpq.exit_pipeline) &&
        find(library, "PQpipelineSync", &libpq.sync_pipeline);
}

int cpostgres_load(void) {
    pthread_once(&once, load);
    return is_loaded;
}

static void drop(void *context, const struct pg_result *notice) {
    (void)context;
    (void)notice;
}

void cpostgres_drop_notices(struct pg_conn *connection) {
    libpq.set_notice_receiver(connection, drop, NULL);
}

int cpostgres_take_notifications(struct pg_conn *connection) {
    int count = 0;
    void *next;
    while ((next = libpq.notifies(connection)) != NULL) {
        libpq.free_memory(next);
        count++;
    }
    return count;
}

int cpostgres_send_prepare(struct pg_conn *connection, const char *name, const char *sql) {
    return libpq.send_prepare(connection, name, sql, 0, NULL);
}

int cpostgres_send_prepared(
    struct pg_conn *connection, const char *name, int count, const char *const *values
) {
    return libpq.send_prepared(connection, name, count, values, NULL, NULL, 0);
}

struct pg_conn *cpostgres_connect_start(
    const char *const *keywords, const char *const *values, int expands_name
) {
    return libpq.connect_start(keywords, values, expands_name);
}

int cpostgres_connect_poll(struct pg_conn *connection) {
    return libpq.connect_poll(connection);
}

int cpostgres_status(const struct pg_conn *connection) {
    return libpq.status(connection);
}

int cpostgres_transaction_status(const struct pg_conn *connection) {
    return libpq.transaction_status(connection);
}

int cpostgres_socket(const struct pg_conn *connection) {
    return libpq.socket(connection);
}

const char *cpostgres_error_message(const struct pg_conn *connection) {
    return libpq.error_message(connection);
}

void cpostgres_finish(struct pg_conn *connection) {
    libpq.finish(connection);
}

int cpostgres_set_nonblocking(struct pg_conn *connection, int is_on) {
    return libpq.set_nonblocking(connection, is_on);
}

int cpostgres_send_query(struct pg_conn *connection, const char *sql) {
    return libpq.send_query(connection, sql);
}

int cpostgres_flush(struct pg_conn *connection) {
    return libpq.flush(connection);
}

int cpostgres_consume(struct pg_conn *connection) {
    return libpq.consume(connection);
}

int cpostgres_is_busy(struct pg_conn *connection) {
    return libpq.is_busy(connection);
}

struct pg_result *cpostgres_next_result(struct pg_conn *connection) {
    return libpq.next_result(connection);
}

void cpostgres_clear(struct pg_result *result) {
    libpq.clear(result);
}

int cpostgres_result_status(const struct pg_result *result) {
    return libpq.result_status(result);
}

const char *cpostgres_error_field(const struct pg_result *result, int field) {
    return libpq.error_field(result, field);
}

int cpostgres_rows(const struct pg_result *result) {
    return libpq.rows(result);
}

int cpostgres_columns(const struct pg_result *result) {
    return libpq.columns(result);
}

unsigned int cpostgres_type(const struct pg_result *result, int column) {
    return libpq.type(result, column);
}

int cpostgres_is_null(const struct pg_result *result, int row, int column) {
    return libpq.is_null(result, row, column);
}

const char *cpostgres_value(const struct pg_result *result, int row, int column) {
    return libpq.value(result, row, column);
}

int cpostgres_length(const struct pg_result *result, int row, int column) {
    return libpq.length(result, row, column);
}

int cpostgres_put_copy_data(struct pg_conn *connection, const char *bytes, int count) {
    return libpq.put_copy_data(connection, bytes, count);
}

int cpostgres_put_copy_end(struct pg_conn *connection) {
    return libpq.put_copy_end(connection, NULL);
}

const char *cpostgres_changed_rows(struct pg_result *result) {
    return libpq.changed_rows(result);
}

int cpostgres_has_pipelines(void) {
    return has_pipelines;
}

int cpostgres_enter_pipeline(struct pg_conn *connection) {
    return libpq.enter_pipeline(connection);
}

int cpostgres_exit_pipeline(struct pg_conn *connection) {
    return libpq.exit_pipeline(connection);
}

int cpostgres_sync_pipeline(struct pg_conn *connection) {
    return libpq.sync_pipeline(connection);
}
