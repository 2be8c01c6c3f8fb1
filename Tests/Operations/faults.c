/* Makes system calls fail, for programs that are started with this library in LD_PRELOAD.
 *
 *   FAULTS="CALL:FAULT:ONE_IN,…"    FAULT is an errno by number, or `short` for a part only
 *   FAULTS_SEED                     a number: the same calls fail again
 *   FAULTS_WHILE                    a file: nothing fails but while it is there
 *
 * Calls of the C library that are calls of the system are replaced; what the C library does inside
 * itself is not. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

enum { CALLS = 16, SHORT = -1 };

static struct { char call[16]; int fault; unsigned one_in; } faults[CALLS];
static int count;
static const char *during;
static atomic_ulong state;

__attribute__((constructor)) static void read_faults(void) {
    const char *seed = getenv("FAULTS_SEED"), *text = getenv("FAULTS");
    char fault[16];
    int length;
    state = seed ? strtoul(seed, NULL, 10) : 1;
    during = getenv("FAULTS_WHILE");
    /* Moves the environment, as libraries of LD_PRELOAD may: the arguments are found all the same. */
    setenv("FAULTS_READ", "1", 1);
    while (text && count < CALLS &&
           sscanf(text, "%15[^:]:%15[^:]:%u%n", faults[count].call, fault, &faults[count].one_in,
                  &length) == 3) {
        faults[count].fault = strcmp(fault, "short") ? atoi(fault) : SHORT;
        count++;
        text += length;
        if (*text++ != ',') break;
    }
}

static unsigned long next(void) {
    /* SplitMix64, Steele, Lea and Flood 2014 */
    unsigned long z = atomic_fetch_add(&state, 0x9E3779B97F4A7C15UL);
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9UL;
    z = (z ^ z >> 27) * 0x94D049BB133111EBUL;
    return z ^ z >> 31;
}

/* What is to become of a call: 0 nothing, an errno, or SHORT. */
static int fault(const char *call) {
    if (during && access(during, F_OK) != 0) return 0;
    for (int index = 0; index < count; index++)
        if (!strcmp(faults[index].call, call) && next() % faults[index].one_in == 0)
            return faults[index].fault;
    return 0;
}

static size_t part(size_t size) { return size > 1 ? 1 + next() % (size - 1) : size; }

#define REAL(name) ((__typeof__(&name))real(#name, &real_##name))
static void *real(const char *name, void **kept) {
    if (*kept == NULL) *kept = dlsym(RTLD_NEXT, name);
    return *kept;
}
#define FAIL(name)                                                                                \
    static void *real_##name;                                                                     \
    int found = fault(#name);                                                                     \
    if (found > 0) {                                                                              \
        errno = found;                                                                            \
        return -1;                                                                                \
    }

ssize_t recv(int descriptor, void *bytes, size_t size, int flags) {
    FAIL(recv)
    return REAL(recv)(descriptor, bytes, found == SHORT ? part(size) : size, flags);
}

ssize_t sendmsg(int descriptor, const struct msghdr *message, int flags) {
    FAIL(sendmsg)
    if (found == SHORT && message->msg_iovlen > 0 && message->msg_iov[0].iov_len > 1) {
        struct iovec first = message->msg_iov[0];
        struct msghdr less = *message;
        first.iov_len = part(first.iov_len);
        less.msg_iov = &first;
        less.msg_iovlen = 1;
        return REAL(sendmsg)(descriptor, &less, flags);
    }
    return REAL(sendmsg)(descriptor, message, flags);
}

ssize_t sendfile(int to, int from, off_t *offset, size_t size) {
    FAIL(sendfile)
    return REAL(sendfile)(to, from, offset, found == SHORT ? part(size) : size);
}

int accept4(int descriptor, struct sockaddr *address, socklen_t *size, int flags) {
    FAIL(accept4)
    return REAL(accept4)(descriptor, address, size, flags);
}

int epoll_wait(int descriptor, struct epoll_event *events, int most, int milliseconds) {
    FAIL(epoll_wait)
    return REAL(epoll_wait)(descriptor, events, found == SHORT ? 1 : most, milliseconds);
}

ssize_t read(int descriptor, void *bytes, size_t size) {
    FAIL(read)
    return REAL(read)(descriptor, bytes, found == SHORT ? part(size) : size);
}

ssize_t pread64(int descriptor, void *bytes, size_t size, off64_t offset) {
    FAIL(pread64)
    return REAL(pread64)(descriptor, bytes, found == SHORT ? part(size) : size, offset);
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t size, off64_t offset) {
    FAIL(pwrite64)
    return REAL(pwrite64)(descriptor, bytes, found == SHORT ? part(size) : size, offset);
}

int fdatasync(int descriptor) {
    FAIL(fdatasync)
    return REAL(fdatasync)(descriptor);
}

int ftruncate64(int descriptor, off64_t size) {
    FAIL(ftruncate64)
    return REAL(ftruncate64)(descriptor, size);
}

int open64(const char *path, int flags, ...) {
    va_list more;
    FAIL(open64)
    va_start(more, flags);
    mode_t mode = flags & O_CREAT ? va_arg(more, mode_t) : 0;
    va_end(more);
    return REAL(open64)(path, flags, mode);
}
