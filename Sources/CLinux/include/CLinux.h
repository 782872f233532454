// Calls of Linux and glibc that Swift's module Glibc does not have.
//
// No header of the system but that of `bool` is included: its types would else belong to this
// module as well.
#pragma once

#include <stdbool.h>

/// A descriptor that becomes readable when the clock of the day jumps, as after the machine has
/// slept; -1 if there is none.
int parley_clock_signal(void);

/// Limits the heaps of malloc, sets the size from which on an allocation is mapped by itself, and
/// the unused memory at the end of a heap that goes back to the kernel, both in bytes.
void parley_tune_heaps(int heaps, int mapped_bytes, int unused_bytes);

/// The kernel's answer about the owner of a TCP socket of this machine.
struct parley_owner {
    /// Whether there is such a socket, a program has it open and, if it is a peer, it is connected.
    bool is_found;
    /// Whether the socket is, or was, one of this machine, by what the kernel knows or by its ends.
    bool is_local;
    /// The user who made it, in the numbers of this process; 65534 if it has none for that user.
    unsigned int user;
};

/// Asks for the owner of a listening socket, or of the socket at the other end of a connection;
/// returns 0, or -1 if the kernel does not answer.
int parley_socket_owner(int number, bool of_peer, struct parley_owner *owner);

/// Opens a socket that receives, on one interface, what is sent to the group and the port of
/// multicast DNS; returns -1 and sets `errno` if that is not possible.
int parley_mdns_open(unsigned int interface, bool is_six);

/// Opens a socket for questions to the daemon of one machine, whose numeric address may need an
/// interface; returns -1 and sets `errno` if that is not possible.
int parley_mdns_open_to(const char *address, unsigned int interface);

/// Sends bytes to the group from its port; returns 0, or -1 and sets `errno`.
int parley_mdns_ask(int number, unsigned int interface, bool is_six, const void *bytes, int count);

/// Reads one message that has arrived and the 4 or 16 bytes of the address of its sender; returns
/// the bytes of the message, or -1 if there is none.
int parley_mdns_read(int number, void *bytes, int count, unsigned char source[16], int *source_count);

/// The offset of a part in bytes; -1 if the part is not there. As memmem, which is fast.
long parley_find(const void *bytes, unsigned long count, const void *part, unsigned long part_count);

/// An event of a watched socket.
struct parley_event {
    /// The number under which the socket is watched.
    unsigned long tag;
    bool is_readable, is_writable;
    /// Whether both directions have ended, or the socket has failed.
    bool is_over;
};

/// Opens a set of watched sockets (epoll), which is readable while a socket has an event; -1 if
/// there are no descriptors left.
int parley_set_open(void);

/// Watches a socket under a number, or changes what of it is watched; returns 0, or -1 and sets
/// `errno`.
int parley_set_watch(int set, int number, unsigned long tag, bool reads, bool writes, bool is_new);

/// Watches a socket no more.
void parley_set_forget(int set, int number);

/// Waits for events and takes up to `count`, at most 64; returns their number, 0 without any.
int parley_set_wait(int set, struct parley_event *events, int count, long nanoseconds);
