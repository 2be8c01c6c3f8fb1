#pragma once

// What Linux has and the Glibc module leaves out. Everything here answers as the call it wraps does:
// -1 with errno set where it fails. Never _GNU_SOURCE in this header: with it the module would
// describe fd_set and the sockaddr parameters differently from Glibc's.

#include <spawn.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>

/// epoll_create1 with EPOLL_CLOEXEC.
int clinux_epoll_create(void);

/// epoll_ctl; `operation` is EPOLL_CTL_ADD, _MOD or _DEL, `token` comes back with each event.
int clinux_epoll_control(int epoll, int operation, int descriptor, uint32_t events, uint64_t token);

/// accept4 with SOCK_NONBLOCK and SOCK_CLOEXEC, without the peer's address.
int clinux_accept(int listener);

/// eventfd at zero with EFD_NONBLOCK and EFD_CLOEXEC.
int clinux_eventfd(void);

/// Catches signals whichever thread receives them (sigaction), and unblocks them in the calling one.
///
/// Gives a descriptor that clinux_read_signal reads; all such descriptors share one pipe.
int clinux_catch_signals(const int *signals, int count);

/// Gives signals their former actions back, once for each clinux_catch_signals.
void clinux_release_signals(const int *signals, int count);

/// The next signal of such a descriptor; 0 when there is none.
int clinux_read_signal(int descriptor);

/// Sends a datagram to a Unix socket, of an abstract name where it begins with @ (sd_notify(3)).
int clinux_notify(const char *path, const char *text);

/// Opens a path for reading and without waiting, links followed as long as they stay below the
/// folder (openat2 with RESOLVE_BENEATH); EXDEV for one that leads out of it.
///
/// Where the kernel or its filters do not know the call, no link is followed at the path's end.
int clinux_open_beneath(int folder, const char *path);

/// Lets a program to be spawned have no descriptor from one on; gives an error number or 0.
int clinux_close_from(posix_spawn_file_actions_t *actions, int first);

/// The number of processors the calling thread may run on.
int clinux_usable_processors(void);

/// Gives back free memory of the heap, and the segments of loaded programs that cannot be written to
/// (MADV_DONTNEED); what is needed of them is mapped again when it is read.
///
/// A segment is left as it is where a page of it is the process's own (proc_pid_pagemap(5)):
/// breakpoints, probes, relocations and text moved to large pages are not in the file.
void clinux_release_memory(void);

/// Names the calling thread for ps and debuggers; longer names are cut to 15 bytes.
void clinux_name_thread(const char *name);
