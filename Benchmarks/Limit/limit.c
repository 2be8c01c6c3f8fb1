/* The limit: an HTTP server that does nothing but send prepared bytes.
 *
 *   limit PORT PATH=FILE...   answers GET PATH with the bytes of FILE, head included
 *
 * One thread, level-triggered epoll, keep-alive and pipelining; every other path gets 404. It knows
 * just enough of HTTP to be asked by a load generator, and is safe on a loopback only. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MAXIMUM_PATHS = 16, MAXIMUM_CONNECTIONS = 70000, ROOM = 65536, EVENTS = 256 };

struct answer {
    const char *path;
    size_t path_length;
    char *bytes;
    size_t count;
};

/* What of an answer the socket has not taken, and what of a request has not come. */
struct connection {
    char *unsent;
    size_t unsent_count;
    char *held;
    size_t held_count;
};

static struct answer answers[MAXIMUM_PATHS];
static int answer_count;
static struct connection connections[MAXIMUM_CONNECTIONS];
static char received[ROOM * 2];
static char *output;
static size_t output_capacity;
static const char missing[] = "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n";

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static void read_answer(char *argument) {
    char *equals = strchr(argument, '=');
    if (!equals || answer_count == MAXIMUM_PATHS) {
        fprintf(stderr, "usage: limit PORT PATH=FILE...\n");
        exit(2);
    }
    *equals = 0;
    FILE *file = fopen(equals + 1, "rb");
    if (!file) fail(equals + 1);
    struct answer *answer = &answers[answer_count++];
    answer->path = argument;
    answer->path_length = strlen(argument);
    answer->bytes = malloc(1 << 24);
    answer->count = fread(answer->bytes, 1, 1 << 24, file);
    fclose(file);
}

static void append(size_t *count, const char *bytes, size_t more) {
    if (*count + more > output_capacity) {
        output_capacity = (*count + more) * 2;
        output = realloc(output, output_capacity);
        if (!output) fail("realloc");
    }
    memcpy(output + *count, bytes, more);
    *count += more;
}

static void answer(size_t *count, const char *request, size_t length) {
    if (length > 4 && memcmp(request, "GET ", 4) == 0) {
        const char *path = request + 4;
        const char *end = memchr(path, ' ', length - 4);
        size_t path_length = end ? (size_t)(end - path) : 0;
        for (int index = 0; index < answer_count; index++) {
            if (answers[index].path_length == path_length
                && memcmp(answers[index].path, path, path_length) == 0)
                return append(count, answers[index].bytes, answers[index].count);
        }
    }
    append(count, missing, sizeof missing - 1);
}

static void drop(int loop, int descriptor) {
    struct connection *connection = &connections[descriptor];
    free(connection->unsent);
    free(connection->held);
    memset(connection, 0, sizeof *connection);
    epoll_ctl(loop, EPOLL_CTL_DEL, descriptor, NULL);
    close(descriptor);
}

static void watch(int loop, int descriptor, unsigned events) {
    struct epoll_event event = {.events = events, .data.fd = descriptor};
    epoll_ctl(loop, EPOLL_CTL_MOD, descriptor, &event);
}

/* Sends bytes; keeps what the socket does not take. */
static void deliver(int loop, int descriptor, const char *bytes, size_t count) {
    struct connection *connection = &connections[descriptor];
    ssize_t sent = send(descriptor, bytes, count, MSG_NOSIGNAL);
    if (sent < 0 && errno != EAGAIN) return drop(loop, descriptor);
    if (sent < 0) sent = 0;
    if ((size_t)sent == count) return;
    connection->unsent_count = count - (size_t)sent;
    connection->unsent = malloc(connection->unsent_count);
    memcpy(connection->unsent, bytes + sent, connection->unsent_count);
    watch(loop, descriptor, EPOLLOUT);
}

static void go_on(int loop, int descriptor) {
    struct connection *connection = &connections[descriptor];
    char *bytes = connection->unsent;
    size_t count = connection->unsent_count;
    connection->unsent = NULL;
    connection->unsent_count = 0;
    watch(loop, descriptor, EPOLLIN);
    deliver(loop, descriptor, bytes, count);
    free(bytes);
}

static void serve(int loop, int descriptor) {
    struct connection *connection = &connections[descriptor];
    size_t held = connection->held_count;
    if (held) memcpy(received, connection->held, held);
    ssize_t count = recv(descriptor, received + held, ROOM, 0);
    if (count == 0 || (count < 0 && errno != EAGAIN)) return drop(loop, descriptor);
    if (count < 0) return;
    size_t here = held + (size_t)count, start = 0, made = 0;
    while (start < here) {
        char *end = memmem(received + start, here - start, "\r\n\r\n", 4);
        if (!end) break;
        answer(&made, received + start, (size_t)(end - received) - start);
        start = (size_t)(end - received) + 4;
    }
    free(connection->held);
    connection->held = NULL;
    connection->held_count = here - start;
    if (connection->held_count > ROOM) return drop(loop, descriptor);
    if (connection->held_count) {
        connection->held = malloc(connection->held_count);
        memcpy(connection->held, received + start, connection->held_count);
    }
    if (made) deliver(loop, descriptor, output, made);
}

int main(int argc, char **argv) {
    if (argc < 3) {
        fprintf(stderr, "usage: limit PORT PATH=FILE...\n");
        return 2;
    }
    signal(SIGPIPE, SIG_IGN);
    for (int index = 2; index < argc; index++) read_answer(argv[index]);
    int yes = 1, listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(atoi(argv[1]))};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) < 0) fail("bind");
    if (listen(listener, 4096) < 0) fail("listen");
    int loop = epoll_create1(0);
    struct epoll_event event = {.events = EPOLLIN, .data.fd = listener}, events[EVENTS];
    epoll_ctl(loop, EPOLL_CTL_ADD, listener, &event);
    for (;;) {
        int count = epoll_wait(loop, events, EVENTS, -1);
        for (int index = 0; index < count; index++) {
            int descriptor = events[index].data.fd;
            if (descriptor != listener) {
                if (events[index].events & EPOLLOUT) go_on(loop, descriptor);
                else serve(loop, descriptor);
                continue;
            }
            for (int taken = 0; taken < 64; taken++) {
                descriptor = accept4(listener, NULL, NULL, SOCK_NONBLOCK);
                if (descriptor < 0) break;
                if (descriptor >= MAXIMUM_CONNECTIONS) {
                    close(descriptor);
                    continue;
                }
                setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
                event.events = EPOLLIN;
                event.data.fd = descriptor;
                epoll_ctl(loop, EPOLL_CTL_ADD, descriptor, &event);
            }
        }
    }
}
