// The load generator: single-threaded, with the same code for all servers but for their codecs.
#include "broker_load.h"
#include "connection.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

enum {
    /// Messages are published in pieces of this size, and with a window not in pieces of less than
    /// half of it.
    PIECE_BYTES = 64 << 10,
    EVENTS = 128,
    /// The seconds after which a load that makes no progress fails.
    PATIENCE = 20,
    /// The messages in flight while a stream is filled.
    FILL_IN_FLIGHT = 1024,
};

struct run {
    const struct load *load;
    struct load_result *result;
    const struct codec *codec;
    SSL_CTX *context;
    int epoll;
    /// The publisher, and then the readers.
    struct connection *connections;
    unsigned count;
    uint8_t *payload;
    /// The numbers of the next message to publish and of the end of the phase.
    uint64_t next;
    uint64_t end;
    uint64_t first;
    double began;
    bool has_failed;
};

static double seconds(clockid_t clock) {
    struct timespec time = {0};
    clock_gettime(clock, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void fail(struct run *run, const char *reason) {
    if (!reason || run->has_failed) return;
    run->has_failed = true;
    snprintf(run->result->error, sizeof run->result->error, "%s", reason);
}

// MARK: Connections

static struct connection *connect_next(struct run *run) {
    struct connection *connection = &run->connections[run->count];
    fail(run, connection_open(connection, run->context, run->codec, run->load->port, run->count));
    run->count++;
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = connection};
    if (!run->has_failed && epoll_ctl(run->epoll, EPOLL_CTL_ADD, connection->socket, &event))
        fail(run, "a connection cannot be polled");
    return connection;
}

static void flush(struct run *run, struct connection *connection) {
    bool was_blocked = connection->is_blocked;
    fail(run, connection_flush(connection));
    if (was_blocked == connection->is_blocked || run->has_failed) return;
    struct epoll_event event = {
        .events = EPOLLIN | (connection->is_blocked ? EPOLLOUT : 0), .data.ptr = connection,
    };
    epoll_ctl(run->epoll, EPOLL_CTL_MOD, connection->socket, &event);
}

/// Waits for events at most that long, and takes them; returns whether there were any.
static bool turn(struct run *run, double wait) {
    struct epoll_event events[EVENTS];
    struct timespec limit = {
        .tv_sec = (time_t)wait, .tv_nsec = (long)((wait - (double)(time_t)wait) * 1e9),
    };
    int count = epoll_pwait2(run->epoll, events, EVENTS, &limit, NULL);
    for (int i = 0; i < count && !run->has_failed; i++) {
        struct connection *connection = events[i].data.ptr;
        if (events[i].events & ~(uint32_t)EPOLLOUT)
            fail(run, connection_receive(connection, run->load->payload));
        if (!run->has_failed && connection->out.count && connection->number > 0)
            flush(run, connection);
    }
    return count > 0;
}

/// Sends a ping, or a request, and waits until the server has answered.
static void await_answer(struct run *run, struct connection *connection) {
    if (run->has_failed) return;
    unsigned before = connection->ready;
    double deadline = seconds(CLOCK_MONOTONIC) + PATIENCE;
    flush(run, connection);
    while (!run->has_failed && connection->ready == before) {
        turn(run, 1);
        if (seconds(CLOCK_MONOTONIC) > deadline) fail(run, "the server does not answer");
    }
}

/// A name that has the same length for all topics.
struct topic {
    char name[13];
};

static struct topic topic_of(uint64_t number) {
    struct topic topic = {"topic.000000"};
    for (int i = 11; i > 5; i--, number /= 10) topic.name[i] = (char)('0' + number % 10);
    return topic;
}

static void add_reader(struct run *run, bool from_last) {
    unsigned index = run->count - 1;
    struct connection *reader = connect_next(run);
    if (run->has_failed) return;
    if (run->load->has_stream) {
        jetstream_create_consumer(&reader->out, reader->number, from_last);
    } else {
        struct topic topic = topic_of(index % run->load->topics);
        run->codec->subscribe(&reader->out, topic.name);
        run->codec->ping(&reader->out);
    }
    await_answer(run, reader);
}

static void add_publisher(struct run *run) {
    const struct load *load = run->load;
    struct connection *publisher = connect_next(run);
    if (run->has_failed) return;
    const char *cipher = publisher->ssl ? SSL_get_cipher_name(publisher->ssl) : "";
    snprintf(run->result->cipher, sizeof run->result->cipher, "%s", cipher);
    if (load->has_stream) jetstream_create_stream(&publisher->out, 0);
    else run->codec->ping(&publisher->out);
    await_answer(run, publisher);
    if (run->codec->quiet && load->pace != PACE_STORED) run->codec->quiet(&publisher->out);
}

// MARK: Publishing

/// The number of messages that the slowest reader has; all for a load without readers.
static uint64_t delivered(const struct run *run) {
    uint64_t least = UINT64_MAX;
    for (unsigned i = 1; i < run->count; i++)
        if (run->connections[i].deliveries < least) least = run->connections[i].deliveries;
    if (run->count < 2) return run->next;
    return run->load->has_stream ? least : least * run->load->topics;
}

/// The number up to which messages may be published.
static uint64_t limit(const struct run *run) {
    const struct load *load = run->load;
    switch (load->pace) {
    case PACE_WINDOW: return delivered(run) + (uint64_t)(load->amount / (double)load->payload);
    case PACE_STORED: return run->connections[0].stored + (uint64_t)load->amount;
    case PACE_RATE:
        return run->first
            + (uint64_t)((seconds(CLOCK_MONOTONIC) - run->began) * load->amount);
    }
    return 0;
}

/// Publishes what may be published, in pieces.
static void publish(struct run *run) {
    const struct load *load = run->load;
    struct connection *publisher = &run->connections[0];
    if (publisher->out.count) flush(run, publisher);
    while (!run->has_failed && !publisher->is_blocked && run->next < run->end) {
        uint64_t end = limit(run), piece = PIECE_BYTES / load->payload;
        if (end > run->end) end = run->end;
        bool is_small = end < run->next + piece / 2 && end < run->end;
        if (end <= run->next || (load->pace == PACE_WINDOW && is_small)) break;
        if (end > run->next + piece) end = run->next + piece;
        for (; run->next < end; run->next++) {
            struct topic topic = topic_of(run->next % load->topics);
            for (int i = 0; i < 8; i++)
                run->payload[i] = (uint8_t)((run->next + 1) >> (56 - 8 * i));
            (load->pace == PACE_STORED ? run->codec->store : run->codec->publish)(
                &publisher->out, topic.name, run->payload, load->payload
            );
        }
        flush(run, publisher);
    }
}

static bool is_done(const struct run *run) {
    if (run->next < run->end || run->connections[0].out.count) return false;
    if (run->load->pace == PACE_STORED && run->connections[0].stored < run->end) return false;
    return delivered(run) >= run->end;
}

/// The seconds until the next message is due, or a second.
static double pause_of(const struct run *run) {
    if (run->load->pace != PACE_RATE || run->next >= run->end) return 1;
    double due = run->began + (double)(run->next - run->first + 1) / run->load->amount;
    double wait = due - seconds(CLOCK_MONOTONIC);
    return wait < 0 ? 0 : wait > 1 ? 1 : wait;
}

/// Publishes `count` messages, and waits until all readers have them or all are stored.
static void phase(struct run *run, uint64_t count) {
    run->first = run->next;
    run->end = run->next + count;
    run->began = seconds(CLOCK_MONOTONIC);
    double progress = run->began;
    while (!run->has_failed) {
        publish(run);
        if (is_done(run)) return;
        if (turn(run, pause_of(run))) progress = seconds(CLOCK_MONOTONIC);
        else if (seconds(CLOCK_MONOTONIC) > progress + PATIENCE) fail(run, "messages are lost");
    }
}

/// Checks that each reader has every message of its topic once.
static void verify(struct run *run) {
    uint64_t topics = run->load->has_stream ? 1 : run->load->topics;
    while (!run->has_failed && turn(run, 0.02)) {}
    for (unsigned i = 1; i < run->count && !run->has_failed; i++) {
        uint64_t first = (i - 1) % topics + 1, count = run->next / topics, sum = 0;
        for (uint64_t n = 0; n < count; n++) sum += first + n * topics;
        const struct connection *reader = &run->connections[i];
        if (reader->deliveries != count || reader->sum != sum)
            fail(run, "a reader has not got every message once");
    }
    if (run->load->pace == PACE_STORED && run->connections[0].stored != run->next)
        fail(run, "there are more acknowledgements than messages");
}

// MARK: Loads

static void measure(struct run *run, uint64_t count, void (*work)(struct run *, uint64_t)) {
    clockid_t clock;
    if (clock_getcpuclockid(run->load->process, &clock)) {
        fail(run, "the server has no clock");
        return;
    }
    double began = seconds(CLOCK_MONOTONIC), own = seconds(CLOCK_PROCESS_CPUTIME_ID);
    double used = seconds(clock);
    work(run, count);
    run->result->seconds = seconds(CLOCK_MONOTONIC) - began;
    run->result->server_seconds = seconds(clock) - used;
    run->result->own_seconds = seconds(CLOCK_PROCESS_CPUTIME_ID) - own;
}

static bool begin(struct run *run, const struct load *load, struct load_result *result) {
    *result = (struct load_result){0};
    *run = (struct run){.load = load, .result = result, .codec = codec_of(load->server)};
    prctl(PR_SET_TIMERSLACK, 1UL);
    run->epoll = epoll_create1(EPOLL_CLOEXEC);
    run->connections = calloc(load->readers + 2, sizeof *run->connections);
    run->payload = malloc(load->payload);
    if (!load->is_plain) run->context = tls_context(load->certificates, "client", false);
    if (!run->connections || !run->payload || load->payload < 8) fail(run, "there is no room");
    if (!run->context && !load->is_plain) fail(run, "the certificates cannot be read");
    if (run->epoll < 0) fail(run, "there is no epoll");
    if (load->pace == PACE_STORED && !run->codec->store) fail(run, "the server stores nothing");
    for (size_t i = 0; i < load->payload && run->payload; i++)
        run->payload[i] = (uint8_t)(i * 7 + 13);
    return !run->has_failed;
}

static bool end(struct run *run) {
    for (unsigned i = 0; i < run->count; i++) connection_close(&run->connections[i]);
    if (run->epoll >= 0) close(run->epoll);
    if (run->context) SSL_CTX_free(run->context);
    free(run->connections);
    free(run->payload);
    return !run->has_failed;
}

bool load_run(const struct load *load, struct load_result *result) {
    struct run run;
    if (!begin(&run, load, result)) return end(&run);
    add_publisher(&run);
    for (uint32_t i = 0; i < load->readers && !run.has_failed; i++) add_reader(&run, false);
    phase(&run, load->warm);
    if (!run.has_failed) measure(&run, load->measured, phase);
    verify(&run);
    return end(&run);
}

/// Waits until a new reader has `count` messages.
static void catch_up(struct run *run, uint64_t count) {
    double progress = seconds(CLOCK_MONOTONIC);
    add_reader(run, true);
    while (!run->has_failed && run->connections[1].deliveries < count) {
        if (turn(run, 1)) progress = seconds(CLOCK_MONOTONIC);
        else if (seconds(CLOCK_MONOTONIC) > progress + PATIENCE) fail(run, "messages are lost");
    }
}

bool load_catch_up(const struct load *load, struct load_result *result) {
    struct load filling = *load;
    filling.pace = PACE_STORED;
    filling.amount = FILL_IN_FLIGHT;
    filling.topics = (uint32_t)load->measured;
    struct run run;
    if (!begin(&run, &filling, result)) return end(&run);
    add_publisher(&run);
    phase(&run, load->measured);
    if (!run.has_failed) measure(&run, load->measured, catch_up);
    verify(&run);
    return end(&run);
}
