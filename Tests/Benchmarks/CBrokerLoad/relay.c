// The relay: the limit of what a relay in user space can do.
#include "broker_load.h"
#include "relay_frame.h"
#include "relay_link.h"
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    LINKS_MAX = 256,
    TOPICS = 1 << 12,
    TOPIC_MAX = 32,
    EVENTS = 256,
    /// The journal is written again from its start when it is full.
    JOURNAL_BYTES = 64 << 20,
};

struct topic {
    struct topic *next;
    size_t length;
    char name[TOPIC_MAX];
    unsigned count;
    struct link *subscribers[LINKS_MAX];
};

struct relay {
    int epoll;
    int listener;
    int journal;
    off_t written;
    bool is_unsynced;
    SSL_CTX *context;
    struct topic *topics[TOPICS];
    /// The links that have something to write at the end of a turn.
    struct link *dirty[LINKS_MAX];
    unsigned dirty_count;
    unsigned links;
    struct chunk *answers;
};

static struct topic *find(struct relay *relay, const uint8_t *name, size_t length, bool adds) {
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < length; i++) hash = (hash ^ name[i]) * 16777619u;
    struct topic **place = &relay->topics[hash % TOPICS];
    for (struct topic *topic = *place; topic; topic = topic->next)
        if (topic->length == length && !memcmp(topic->name, name, length)) return topic;
    struct topic *topic = adds ? calloc(1, sizeof *topic) : NULL;
    if (!topic) return NULL;
    topic->next = *place;
    topic->length = length;
    memcpy(topic->name, name, length);
    return *place = topic;
}

static void mark(struct relay *relay, struct link *link) {
    if (link->is_dirty) return;
    link->is_dirty = true;
    relay->dirty[relay->dirty_count++] = link;
}

static void forward(struct relay *relay, struct chunk *chunk, size_t start, size_t count) {
    const uint8_t *frame = chunk->bytes + start;
    const struct topic *topic = find(relay, frame + RELAY_HEAD, frame[5], false);
    for (unsigned i = 0; topic && i < topic->count; i++) {
        struct link *link = topic->subscribers[i];
        if (!link->ssl) continue;
        link_queue(link, chunk, start, count);
        mark(relay, link);
    }
}

/// Queues an answer without a topic or payload.
static void answer(struct relay *relay, struct link *link, enum relay_type type) {
    link_queue(link, relay->answers, (size_t)type * RELAY_HEAD, RELAY_HEAD);
    mark(relay, link);
}

static bool write_journal(struct relay *relay, const uint8_t *bytes, size_t count) {
    if (relay->written + (off_t)count > JOURNAL_BYTES) relay->written = 0;
    ssize_t written = pwrite(relay->journal, bytes, count, relay->written);
    relay->written += (off_t)count;
    relay->is_unsynced = true;
    return written == (ssize_t)count;
}

/// Takes the complete frames of what the link has read; returns false if the link has to close.
static bool take(struct relay *relay, struct link *link) {
    struct chunk *chunk = link->chunk;
    size_t start = link->taken;
    bool is_stored = false;
    while (chunk->count - link->taken >= RELAY_HEAD) {
        const uint8_t *frame = chunk->bytes + link->taken;
        size_t count = relay_frame_count(frame), length = frame[5];
        if (count < RELAY_HEAD + length || count > FRAME_MAX || length > TOPIC_MAX) return false;
        if (chunk->count - link->taken < count) break;
        struct topic *topic;
        switch (frame[4]) {
        case RELAY_SUBSCRIBE:
            topic = find(relay, frame + RELAY_HEAD, length, true);
            if (!topic || topic->count == LINKS_MAX) return false;
            topic->subscribers[topic->count++] = link;
            break;
        case RELAY_STORE:
            is_stored = true;
            answer(relay, link, RELAY_STORED);
            forward(relay, chunk, link->taken, count);
            break;
        case RELAY_PUBLISH: forward(relay, chunk, link->taken, count); break;
        case RELAY_PING: answer(relay, link, RELAY_PING); break;
        default: return false;
        }
        link->taken += count;
    }
    return !is_stored || write_journal(relay, chunk->bytes + start, link->taken - start);
}

static void read_all(struct relay *relay, struct link *link) {
    while (link->ssl) {
        struct chunk *chunk = link_chunk(link);
        long count = tls_read(link->ssl, chunk->bytes + chunk->count, CHUNK - chunk->count);
        if (count == TLS_LATER) return;
        if (count > 0) chunk->count += (size_t)count;
        if (count == TLS_CLOSED || !take(relay, link)) link_close(link);
    }
}

static void accept_link(struct relay *relay) {
    int socket = accept4(relay->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (socket < 0) return;
    struct link *link = relay->links < LINKS_MAX ? calloc(1, sizeof *link) : NULL;
    SSL *ssl = link ? SSL_new(relay->context) : NULL;
    if (!ssl) {
        close(socket);
        free(link);
        return;
    }
    int one = 1;
    setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    SSL_set_fd(ssl, socket);
    SSL_set_accept_state(ssl);
    *link = (struct link){.socket = socket, .ssl = ssl, .epoll = relay->epoll};
    relay->links++;
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = link};
    epoll_ctl(relay->epoll, EPOLL_CTL_ADD, socket, &event);
}

/// Syncs the journal, and then writes what the turn has queued.
static void end_turn(struct relay *relay) {
    if (relay->is_unsynced && fdatasync(relay->journal)) abort();
    relay->is_unsynced = false;
    for (unsigned i = 0; i < relay->dirty_count; i++) {
        relay->dirty[i]->is_dirty = false;
        link_write(relay->dirty[i]);
    }
    relay->dirty_count = 0;
}

static uint16_t listen_on_loopback(struct relay *relay) {
    relay->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)},
    };
    socklen_t size = sizeof address;
    if (bind(relay->listener, (struct sockaddr *)&address, size)
        || listen(relay->listener, LINKS_MAX)
        || getsockname(relay->listener, (struct sockaddr *)&address, &size))
        return 0;
    return ntohs(address.sin_port);
}

/// Opens the journal and fills it, so that a sync writes no lengths of files.
static bool open_journal(struct relay *relay, const char *path) {
    relay->journal = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    static uint8_t zeros[1 << 20];
    for (size_t i = 0; i < JOURNAL_BYTES / sizeof zeros; i++)
        if (write(relay->journal, zeros, sizeof zeros) != sizeof zeros) return false;
    return fsync(relay->journal) == 0;
}

static bool prepare(struct relay *relay, const char *certificates, const char *journal) {
    relay->context = tls_context(certificates, "server", true);
    relay->epoll = epoll_create1(EPOLL_CLOEXEC);
    relay->answers = chunk_new();
    if (!relay->context || !relay->answers || !open_journal(relay, journal)) return false;
    for (uint8_t type = 0; type <= RELAY_STORED; type++) {
        relay_frame_put(relay->answers->bytes + type * RELAY_HEAD, RELAY_HEAD);
        relay->answers->bytes[type * RELAY_HEAD + 4] = type;
        relay->answers->bytes[type * RELAY_HEAD + 5] = 0;
    }
    return true;
}

bool relay_run(const char *certificates, const char *journal, void (*ready)(uint16_t port)) {
    static struct relay relay;
    uint16_t port = prepare(&relay, certificates, journal) ? listen_on_loopback(&relay) : 0;
    if (!port) return false;
    struct epoll_event input = {.events = EPOLLIN, .data.ptr = &relay.epoll};
    struct epoll_event arrival = {.events = EPOLLIN, .data.ptr = &relay.listener};
    epoll_ctl(relay.epoll, EPOLL_CTL_ADD, relay.listener, &arrival);
    if (epoll_ctl(relay.epoll, EPOLL_CTL_ADD, STDIN_FILENO, &input)) return false;
    ready(port);
    for (;;) {
        struct epoll_event events[EVENTS];
        int count = epoll_wait(relay.epoll, events, EVENTS, -1);
        if (count < 0 && errno != EINTR) return false;
        for (int i = 0; i < count; i++) {
            struct link *link = events[i].data.ptr;
            // Nothing is sent to the standard input: an event is its end.
            if (events[i].data.ptr == &relay.epoll) return true;
            if (events[i].data.ptr == &relay.listener) {
                accept_link(&relay);
                continue;
            }
            if (events[i].events & EPOLLOUT) mark(&relay, link);
            if (events[i].events & ~(uint32_t)EPOLLOUT) read_all(&relay, link);
        }
        end_turn(&relay);
    }
}
