#define _GNU_SOURCE

#include "clinux.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <linux/openat2.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
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

int clinux_signalfd(const int *signals, int count) {
    sigset_t set;
    sigemptyset(&set);
    for (int index = 0; index < count; index++) {
        if (sigaddset(&set, signals[index]) != 0) return -1;
    }
    int failure = pthread_sigmask(SIG_BLOCK, &set, NULL);
    if (failure != 0) {
        errno = failure;
        return -1;
    }
    return signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
}

int clinux_read_signal(int descriptor) {
    struct signalfd_siginfo information;
    ssize_t count = read(descriptor, &information, sizeof information);
    if (count == (ssize_t)sizeof information) return (int)information.ssi_signo;
    return count < 0 && errno == EAGAIN ? 0 : -1;
}

int clinux_open_beneath(int folder, const char *path) {
    // A pipe is opened without waiting for somebody who writes.
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
    // The kernel refuses a set smaller than its own, which may be larger than cpu_set_t.
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

struct pages {
    int map;
    uintptr_t size;
};

// Whether a page is the process's own, or that cannot be told.
static int has_own_pages(const struct pages *pages, uintptr_t first, uintptr_t end) {
    const uint64_t present = 1ull << 63, swapped = 1ull << 62, of_file = 1ull << 61;
    uint64_t entries[512];
    while (first < end) {
        size_t count = (end - first) / pages->size;
        if (count > 512) count = 512;
        ssize_t bytes = (ssize_t)(count * sizeof *entries);
        off_t offset = (off_t)(first / pages->size * sizeof *entries);
        if (pread(pages->map, entries, (size_t)bytes, offset) != bytes) return 1;
        for (size_t index = 0; index < count; index++) {
            uint64_t entry = entries[index];
            if ((entry & swapped) != 0) return 1;
            if ((entry & present) != 0 && (entry & of_file) == 0) return 1;
        }
        first += count * pages->size;
    }
    return 0;
}

// Called by the loader under its lock, so that no segment goes meanwhile.
static int release_segments(struct dl_phdr_info *object, size_t size, void *context) {
    (void)size;
    const struct pages *pages = context;
    for (int index = 0; index < object->dlpi_phnum; index++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[index];
        if (segment->p_type != PT_LOAD || (segment->p_flags & PF_W) != 0) continue;
        uintptr_t start = object->dlpi_addr + segment->p_vaddr;
        uintptr_t first = start / pages->size * pages->size;
        uintptr_t end = (start + segment->p_memsz) / pages->size * pages->size;
        if (end <= first || has_own_pages(pages, first, end)) continue;
        madvise((void *)first, end - first, MADV_DONTNEED);
    }
    return 0;
}

void clinux_release_memory(void) {
    malloc_trim(0);
    struct pages pages = {
        .map = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC),
        .size = (uintptr_t)sysconf(_SC_PAGESIZE),
    };
    if (pages.map < 0) return;
    dl_iterate_phdr(release_segments, &pages);
    close(pages.map);
}

void clinux_name_thread(const char *name) {
    char cut[16] = {0};
    strncpy(cut, name, sizeof cut - 1);
    pthread_setname_np(pthread_self(), cut);
}
