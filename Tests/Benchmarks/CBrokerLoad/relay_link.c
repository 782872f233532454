#include "relay_link.h"
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

enum {
    RECORD = 16 << 10,
    SPARE_MAX = 64,
};

static struct chunk *spare[SPARE_MAX];
static unsigned spare_count;

struct chunk *chunk_new(void) {
    struct chunk *chunk = spare_count ? spare[--spare_count] : malloc(sizeof *chunk);
    if (!chunk) abort();
    chunk->references = 1;
    chunk->count = 0;
    return chunk;
}

static void drop(struct chunk *chunk) {
    if (--chunk->references) return;
    if (spare_count < SPARE_MAX) spare[spare_count++] = chunk;
    else free(chunk);
}

struct chunk *link_chunk(struct link *link) {
    struct chunk *old = link->chunk;
    if (old && old->count == link->taken && old->references == 1) {
        old->count = link->taken = 0;
    } else if (!old || CHUNK - old->count < RECORD) {
        link->chunk = chunk_new();
        if (old) {
            link->chunk->count = old->count - link->taken;
            memcpy(link->chunk->bytes, old->bytes + link->taken, link->chunk->count);
            drop(old);
        }
        link->taken = 0;
    }
    return link->chunk;
}

void link_queue(struct link *link, struct chunk *chunk, size_t start, size_t count) {
    if (link->count) {
        struct slice *last = &link->queue[(link->head + link->count - 1) % link->capacity];
        if (last->chunk == chunk && last->start + last->count == start) {
            last->count += count;
            return;
        }
    }
    if (link->count == link->capacity) {
        size_t capacity = link->capacity ? 2 * link->capacity : 16;
        struct slice *queue = malloc(capacity * sizeof *queue);
        if (!queue) abort();
        for (size_t i = 0; i < link->count; i++)
            queue[i] = link->queue[(link->head + i) % link->capacity];
        free(link->queue);
        link->queue = queue;
        link->head = 0;
        link->capacity = capacity;
    }
    link->queue[(link->head + link->count++) % link->capacity] =
        (struct slice){chunk, start, count};
    chunk->references++;
}

/// Takes written bytes off the queue.
static void advance(struct link *link, size_t count) {
    while (count) {
        struct slice *slice = &link->queue[link->head];
        size_t part = slice->count < count ? slice->count : count;
        slice->start += part;
        slice->count -= part;
        count -= part;
        if (slice->count) return;
        drop(slice->chunk);
        link->head = (link->head + 1) % link->capacity;
        link->count--;
    }
}

/// Writes one TLS record; a slice that fills it is not copied.
static long write_record(struct link *link) {
    const struct slice *first = &link->queue[link->head];
    if (first->count >= RECORD || link->count == 1) {
        size_t count = first->count < RECORD ? first->count : RECORD;
        return tls_write(link->ssl, first->chunk->bytes + first->start, count);
    }
    static uint8_t record[RECORD];
    size_t filled = 0;
    for (size_t i = 0; i < link->count && filled < RECORD; i++) {
        const struct slice *slice = &link->queue[(link->head + i) % link->capacity];
        size_t count = slice->count < RECORD - filled ? slice->count : RECORD - filled;
        memcpy(record + filled, slice->chunk->bytes + slice->start, count);
        filled += count;
    }
    return tls_write(link->ssl, record, filled);
}

void link_write(struct link *link) {
    bool is_blocked = false;
    while (link->ssl && link->count && !is_blocked) {
        long count = write_record(link);
        if (count > 0) advance(link, (size_t)count);
        else if (count == TLS_LATER) is_blocked = true;
        else link_close(link);
    }
    if (!link->ssl || is_blocked == link->is_blocked) return;
    link->is_blocked = is_blocked;
    struct epoll_event event = {
        .events = EPOLLIN | (is_blocked ? EPOLLOUT : 0), .data.ptr = link,
    };
    epoll_ctl(link->epoll, EPOLL_CTL_MOD, link->socket, &event);
}

void link_close(struct link *link) {
    if (!link->ssl) return;
    SSL_free(link->ssl);
    link->ssl = NULL;
    close(link->socket);
    while (link->count) advance(link, link->queue[link->head].count);
    if (link->chunk) drop(link->chunk);
    link->chunk = NULL;
}
