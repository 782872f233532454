#include "codecs.h"
#include <stdlib.h>
#include <string.h>

static void bulk(struct buffer *out, const void *bytes, size_t count) {
    append_text(out, "$");
    append_number(out, count);
    append_text(out, "\r\n");
    buffer_append(out, bytes, count);
    append_text(out, "\r\n");
}

static void hello(struct buffer *out, unsigned client) {
    (void)out;
    (void)client;
}

static void subscribe(struct buffer *out, const char *topic) {
    append_text(out, "*2\r\n$9\r\nSUBSCRIBE\r\n");
    bulk(out, topic, strlen(topic));
}

static void ping(struct buffer *out) { append_text(out, "*1\r\n$4\r\nPING\r\n"); }

static void quiet(struct buffer *out) {
    append_text(out, "*3\r\n$6\r\nCLIENT\r\n$5\r\nREPLY\r\n$3\r\nOFF\r\n");
}

static void publish(
    struct buffer *out, const char *topic, const uint8_t *payload, size_t count
) {
    append_text(out, "*3\r\n$7\r\nPUBLISH\r\n");
    bulk(out, topic, strlen(topic));
    bulk(out, payload, count);
}

static void store(struct buffer *out, const char *key, const uint8_t *payload, size_t count) {
    append_text(out, "*3\r\n$3\r\nSET\r\n");
    bulk(out, key, strlen(key));
    bulk(out, payload, count);
}

/// The number in the line that starts after the type at `start`; `*end` is where the next line
/// starts, or 0 if the line is not complete. Negative for what is not a number.
static long number(const uint8_t *bytes, size_t count, size_t start, size_t *end) {
    *end = 0;
    const uint8_t *stop = start < count ? memchr(bytes + start, '\n', count - start) : NULL;
    if (!stop) return -1;
    *end = (size_t)(stop - bytes) + 1;
    long value = 0;
    for (size_t i = start + 1; i + 2 < *end; i++) {
        if (bytes[i] < '0' || bytes[i] > '9' || value > MESSAGE_MAX) return -1;
        value = 10 * value + (bytes[i] - '0');
    }
    return value;
}

/// The event of an array of strings and numbers: `message topic payload`, `subscribe topic count`
/// or `pong text`.
static struct event array(const uint8_t *bytes, size_t count) {
    struct event refused = {.kind = EVENT_REFUSED, .count = count};
    struct event incomplete = {.kind = EVENT_INCOMPLETE};
    size_t at;
    long items = number(bytes, count, 0, &at);
    if (!at) return incomplete;
    if (items < 2 || items > 3) return refused;
    struct event event = {.kind = EVENT_OTHER};
    for (long item = 0; item < items; item++) {
        size_t start;
        long size = number(bytes, count, at, &start);
        if (!start) return incomplete;
        if (size < 0 || (bytes[at] != '$' && bytes[at] != ':')) return refused;
        bool is_text = bytes[at] == '$';
        at = start;
        if (!is_text) continue;
        if (count - at < (size_t)size + 2) return incomplete;
        if (item == 0 && size == 7 && !memcmp(bytes + at, "message", 7))
            event.kind = EVENT_DELIVERY;
        if (item == 0 && size == 4 && !memcmp(bytes + at, "pong", 4)) event.kind = EVENT_READY;
        event.payload = bytes + at;
        event.payload_count = (size_t)size;
        at += (size_t)size + 2;
    }
    event.count = at;
    return event;
}

static struct event next(const uint8_t *bytes, size_t count) {
    if (!count) return (struct event){.kind = EVENT_INCOMPLETE};
    if (bytes[0] == '*') return array(bytes, count);
    const uint8_t *end = memchr(bytes, '\n', count);
    if (!end) return (struct event){.kind = EVENT_INCOMPLETE};
    struct event event = {.kind = EVENT_REFUSED, .count = (size_t)(end - bytes) + 1};
    if (event.count == 5 && !memcmp(bytes, "+OK", 3)) event.kind = EVENT_STORED;
    else if (event.count == 7 && !memcmp(bytes, "+PONG", 5)) event.kind = EVENT_READY;
    else if (bytes[0] == ':') event.kind = EVENT_OTHER;
    return event;
}

const struct codec redis_codec = {
    .hello = hello,
    .subscribe = subscribe,
    .ping = ping,
    .quiet = quiet,
    .publish = publish,
    .store = store,
    .next = next,
};
