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
    int (*send_params)(
        struct pg_conn *connection, const char *sql, int count, const unsigned int *types,
        const char *const *values, const int *lengths, const int *formats, int result_format
    );
    int (*send_prepared)(
        struct pg_conn *connection, const char *name, int count, const char *const *values,
        const int *lengths, const int *formats, int result_format
    );
    int (*put_copy_data)(struct pg_conn *connection, const char *bytes, int count);
    int (*put_copy_end)(struct pg_conn *connection, const char *error);
    const char *(*changed_rows)(struct pg_result *result);
    int (*backend)(const struct pg_conn *connection);
    void *(*get_cancel)(struct pg_conn *connection);
    int (*cancel)(void *request, char *reason, int size);
    void (*free_cancel)(void *request);
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
        find(library, "PQsendQueryParams", &libpq.send_params) &&
        find(library, "PQbackendPID", &libpq.backend) &&
        find(library, "PQgetCancel", &libpq.get_cancel) &&
        find(library, "PQcancel", &libpq.cancel) &&
        find(library, "PQfreeCancel", &libpq.free_cancel) &&
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

int cpostgres_send(
    struct pg_conn *connection, const char *name, const char *sql, int count,
    const char *const *values
) {
    return name == NULL
        ? libpq.send_params(connection, sql, count, NULL, values, NULL, NULL, 0)
        : libpq.send_prepared(connection, name, count, values, NULL, NULL, 0);
}

struct pg_conn *cpostgres_connect_start(
    const char *const *keywords, const char *const *values, int expands_name
) {
    return libpq.connect_start(keywords, values, expands_name);
}

void cpostgres_cancel(struct pg_conn *connection) {
    char reason[256];
    void *request = libpq.get_cancel(connection);
    if (request == NULL) return;
    libpq.cancel(request, reason, sizeof reason);
    libpq.free_cancel(request);
}

int cpostgres_set_nonblocking(struct pg_conn *connection, int is_on) {
    return libpq.set_nonblocking(connection, is_on);
}

int cpostgres_send_query(struct pg_conn *connection, const char *sql) {
    return libpq.send_query(connection, sql);
}

const char *cpostgres_error_field(const struct pg_result *result, int field) {
    return libpq.error_field(result, field);
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

int cpostgres_has_pipelines(void) {
    return has_pipelines;
}

/* The functions of libpq whose only argument is a connection or a result. */
#define FORWARD(type, name, argument) \
    type cpostgres_##name(argument value) { return libpq.name(value); }
FORWARD(int, backend, const struct pg_conn *)
FORWARD(int, connect_poll, struct pg_conn *)
FORWARD(int, status, const struct pg_conn *)
FORWARD(int, transaction_status, const struct pg_conn *)
FORWARD(int, socket, const struct pg_conn *)
FORWARD(const char *, error_message, const struct pg_conn *)
FORWARD(void, finish, struct pg_conn *)
FORWARD(int, flush, struct pg_conn *)
FORWARD(int, consume, struct pg_conn *)
FORWARD(int, is_busy, struct pg_conn *)
FORWARD(struct pg_result *, next_result, struct pg_conn *)
FORWARD(void, clear, struct pg_result *)
FORWARD(int, result_status, const struct pg_result *)
FORWARD(int, rows, const struct pg_result *)
FORWARD(int, columns, const struct pg_result *)
FORWARD(const char *, changed_rows, struct pg_result *)
FORWARD(int, enter_pipeline, struct pg_conn *)
FORWARD(int, exit_pipeline, struct pg_conn *)
FORWARD(int, sync_pipeline, struct pg_conn *)
