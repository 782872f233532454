#pragma once

#include "tls.h"
#include <stdint.h>

enum {
    CHUNK = 256 << 10,
    /// The limit of a frame in bytes: a chunk has room for it, and for a TLS record.
    FRAME_MAX = 64 << 10,
};

/// Bytes that a link has read; slices of it wait on other links.
struct chunk {
    unsigned references;
    size_t count;
    uint8_t bytes[CHUNK];
};

/// A new chunk with one reference.
struct chunk *chunk_new(void);

struct slice {
    struct chunk *chunk;
    size_t start;
    size_t count;
};

/// A connection of the relay. It is closed when `ssl` is NULL, and its memory is never freed.
struct link {
    int socket;
    int epoll;
    SSL *ssl;
    /// The bytes that are read, and how many of them have been taken.
    struct chunk *chunk;
    size_t taken;
    /// A ring of the slices to write.
    struct slice *queue;
    size_t head;
    size_t count;
    size_t capacity;
    bool is_dirty;
    bool is_blocked;
};

/// The chunk to read into, with room for a TLS record; an incomplete frame has moved to its start
/// where that was needed.
struct chunk *link_chunk(struct link *link);

/// Queues a slice, which is joined with the last one if it follows it.
void link_queue(struct link *link, struct chunk *chunk, size_t start, size_t count);

/// Writes what the kernel takes, in full TLS records.
void link_write(struct link *link);

void link_close(struct link *link);
