#pragma once

// Functions of Linux that the Glibc module lacks. Each returns what the call it wraps returns: -1
// with errno set if it fails. Never define _GNU_SOURCE in this header, because the module would
// then describe fd_set and the sockaddr parameters differently from Glibc's.

#include <spawn.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>

/// Calls epoll_create1 with EPOLL_CLOEXEC.
int clinux_epoll_create(void);

/// Calls epoll_ctl with the operation EPOLL_CTL_ADD, _MOD or _DEL; each event carries `token`.
int clinux_epoll_control(int epoll, int operation, int descriptor, uint32_t events, uint64_t token);

/// Calls accept4 with SOCK_NONBLOCK and SOCK_CLOEXEC, without the peer's address.
int clinux_accept(int listener);

/// Creates an eventfd of zero with EFD_NONBLOCK and EFD_CLOEXEC.
int clinux_eventfd(void);

/// Catches signals on any thread (sigaction), and unblocks them in the calling one.
///
/// Returns a descriptor for clinux_read_signal. All such descriptors share one pipe.
int clinux_catch_signals(const int *signals, int count);

/// Restores the former actions of signals; called once for each clinux_catch_signals.
void clinux_release_signals(const int *signals, int count);

/// Reads the next signal of such a descriptor; 0 if there is none.
int clinux_read_signal(int descriptor);

/// Sends a datagram to a Unix socket. A name that begins with @ is abstract (sd_notify(3)).
int clinux_notify(const char *path, const char *text);

/// Opens a path for reading and without waiting (openat2 with RESOLVE_BENEATH).
///
/// Links are followed if they stay below the folder; EXDEV for one that leads out of it. Without
/// support by the kernel or its filters, a link at the path's end is not followed.
int clinux_open_beneath(int folder, const char *path);

/// Closes all descriptors from `first` on in a program to be spawned; returns an error number or 0.
int clinux_close_from(posix_spawn_file_actions_t *actions, int first);

/// Returns the number of processors that the calling thread may run on.
int clinux_usable_processors(void);

/// Returns free memory of the heap to the system (malloc_trim).
void clinux_release_memory(void);

/// Names the calling thread for ps and debuggers, and cuts longer names to 15 bytes.
void clinux_name_thread(const char *name);

/// Copies the extended attributes of an open file that another one lacks, also its access list.
///
/// Those that the system keeps itself (security.*) may stay away.
int clinux_copy_attributes(int from, int to);
