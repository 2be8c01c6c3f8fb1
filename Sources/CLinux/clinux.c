#define _GNU_SOURCE

#include "clinux.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/xattr.h>
#include <unistd.h>

int clinux_epoll_create(void) {
    return epoll_create1(EPOLL_CLOEXEC);
}

int clinux_epoll_control(int epoll, int operation, int descriptor, uint32_t events, uint64_t token) {
    struct epoll_event event = {.events = events, .data.u64 = token};
    return epoll_ctl(epoll, operation, descriptor, &event);
}

int clinux_accept(int listener) {
    return accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

int clinux_eventfd(void) {
    return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
}

// Made once and never closed, because a handler may be running on any thread.
static int signal_pipe[2] = {-1, -1};
static pthread_mutex_t signal_lock = PTHREAD_MUTEX_INITIALIZER;
static struct sigaction former_actions[NSIG];
static int catchers[NSIG];

// Calls only write(2), which is safe in a handler. A full pipe already holds enough signals.
static void note_signal(int signal) {
    int failure = errno;
    unsigned char byte = (unsigned char)signal;
    ssize_t written = write(signal_pipe[1], &byte, 1);
    (void)written;
    errno = failure;
}

int clinux_catch_signals(const int *signals, int count) {
    struct sigaction action = {.sa_handler = note_signal, .sa_flags = SA_RESTART};
    sigset_t set;
    sigemptyset(&set);
    pthread_mutex_lock(&signal_lock);
    int result = 0;
    if (signal_pipe[0] < 0) result = pipe2(signal_pipe, O_NONBLOCK | O_CLOEXEC);
    if (result == 0) result = fcntl(signal_pipe[0], F_DUPFD_CLOEXEC, 0);
    for (int index = 0; result >= 0 && index < count; index++) {
        int signal = signals[index];
        sigaddset(&set, signal);
        if (catchers[signal]++ == 0) sigaction(signal, &action, &former_actions[signal]);
    }
    pthread_mutex_unlock(&signal_lock);
    // The parent process may have blocked the signals.
    if (result >= 0) pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    return result;
}

void clinux_release_signals(const int *signals, int count) {
    pthread_mutex_lock(&signal_lock);
    for (int index = 0; index < count; index++) {
        int signal = signals[index];
        if (--catchers[signal] == 0) sigaction(signal, &former_actions[signal], NULL);
    }
    pthread_mutex_unlock(&signal_lock);
}

int clinux_read_signal(int descriptor) {
    unsigned char signal;
    ssize_t count = read(descriptor, &signal, 1);
    if (count == 1) return signal;
    return count < 0 && errno == EAGAIN ? 0 : -1;
}

int clinux_notify(const char *path, const char *text) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    size_t length = strlen(path);
    if (length < 2 || length > sizeof address.sun_path) {
        errno = EINVAL;
        return -1;
    }
    memcpy(address.sun_path, path, length);
    // An abstract name begins with a zero.
    if (path[0] == '@') address.sun_path[0] = 0;
    int descriptor = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (descriptor < 0) return -1;
    socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length);
    ssize_t sent = sendto(descriptor, text, strlen(text), MSG_NOSIGNAL | MSG_DONTWAIT,
                          (struct sockaddr *)&address, size);
    int failure = errno;
    close(descriptor);
    errno = failure;
    return sent < 0 ? -1 : 0;
}

int clinux_open_beneath(int folder, const char *path) {
    // O_NONBLOCK opens a pipe without waiting for a writer.
    const int flags = O_RDONLY | O_NONBLOCK | O_CLOEXEC;
    struct open_how how = {
        .flags = (uint64_t)flags,
        .resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS,
    };
    long descriptor = syscall(SYS_openat2, folder, path, &how, sizeof how);
    if (descriptor < 0 && (errno == ENOSYS || errno == EPERM)) {
        return openat(folder, path, flags | O_NOFOLLOW);
    }
    return (int)descriptor;
}

int clinux_close_from(posix_spawn_file_actions_t *actions, int first) {
    return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

int clinux_usable_processors(void) {
    // The kernel refuses a set smaller than its own. Its own may be larger than cpu_set_t.
    for (int processors = CPU_SETSIZE; processors <= 1 << 20; processors *= 2) {
        cpu_set_t *set = CPU_ALLOC(processors);
        if (set == NULL) return -1;
        size_t size = CPU_ALLOC_SIZE(processors);
        int result = sched_getaffinity(0, size, set);
        int count = result == 0 ? CPU_COUNT_S(size, set) : -1;
        int failure = errno;
        CPU_FREE(set);
        if (result == 0) return count;
        if (failure != EINVAL) {
            errno = failure;
            return -1;
        }
    }
    errno = EINVAL;
    return -1;
}

void clinux_release_memory(void) {
    malloc_trim(0);
}

void clinux_name_thread(const char *name) {
    char cut[16] = {0};
    strncpy(cut, name, sizeof cut - 1);
    pthread_setname_np(pthread_self(), cut);
}

int clinux_copy_attributes(int from, int to) {
    ssize_t room = flistxattr(from, NULL, 0);
    if (room < 0 && errno == ENOTSUP) return 0;
    if (room <= 0) return (int)room;
    char *names = malloc((size_t)room);
    if (names == NULL) return -1;
    ssize_t end = flistxattr(from, names, (size_t)room);
    int result = end < 0 ? -1 : 0;
    for (char *name = names; result == 0 && name < names + end; name += strlen(name) + 1) {
        char value[65536], present[65536];
        ssize_t size = fgetxattr(from, name, value, sizeof value);
        if (size < 0) {
            result = -1;
            break;
        }
        ssize_t known = fgetxattr(to, name, present, sizeof present);
        if (known == size && memcmp(value, present, (size_t)size) == 0) continue;
        if (fsetxattr(to, name, value, (size_t)size, 0) < 0 && strncmp(name, "security.", 9) != 0)
            result = -1;
    }
    int code = errno;
    free(names);
    errno = code;
    return result;
}
