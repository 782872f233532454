// MQTT 3.1.1 with quality of service 0.
#include "codecs.h"
#include <stdio.h>

static void start(struct buffer *out, uint8_t type, size_t count) {
    uint8_t bytes[5] = {type};
    size_t at = 1;
    do {
        bytes[at] = count & 127;
        count >>= 7;
        if (count) bytes[at] |= 128;
        at++;
    } while (count);
    buffer_append(out, bytes, at);
}

static void text(struct buffer *out, const char *text) {
    size_t count = strlen(text);
    uint8_t bytes[2] = {(uint8_t)(count >> 8), (uint8_t)count};
    buffer_append(out, bytes, 2);
    buffer_append(out, text, count);
}

static void hello(struct buffer *out, unsigned client) {
    char name[16];
    snprintf(name, sizeof name, "client-%u", client);
    start(out, 0x10, 6 + 4 + 2 + strlen(name));
    text(out, "MQTT");
    // Version 4, a clean session, and no time after which silence ends the connection.
    buffer_append(out, "\4\2\0\0", 4);
    text(out, name);
}

static void subscribe(struct buffer *out, const char *topic) {
    start(out, 0x82, 2 + 2 + strlen(topic) + 1);
    buffer_append(out, "\0\1", 2);
    text(out, topic);
    buffer_append(out, "\0", 1);
}

static void ping(struct buffer *out) { buffer_append(out, "\xc0\0", 2); }

static void publish(
    struct buffer *out, const char *topic, const uint8_t *payload, size_t count
) {
    start(out, 0x30, 2 + strlen(topic) + count);
    text(out, topic);
    buffer_append(out, payload, count);
}

static struct event next(const uint8_t *bytes, size_t count) {
    size_t size = 0, at = 1;
    for (unsigned shift = 0;; shift += 7) {
        if (at >= count) return (struct event){.kind = EVENT_INCOMPLETE};
        size |= (size_t)(bytes[at] & 127) << shift;
        if (!(bytes[at++] & 128)) break;
        if (at == 5) return (struct event){.kind = EVENT_REFUSED, .count = at};
    }
    if (count - at < size) return (struct event){.kind = EVENT_INCOMPLETE};
    struct event event = {.kind = EVENT_REFUSED, .count = at + size};
    const uint8_t *body = bytes + at;
    switch (bytes[0] >> 4) {
    case 2: // CONNACK with its code
        if (size == 2 && body[1] == 0) event.kind = EVENT_OTHER;
        break;
    case 9: // SUBACK with the granted quality
        if (size == 3 && body[2] == 0) event.kind = EVENT_OTHER;
        break;
    case 13: event.kind = EVENT_READY; break;
    case 3: {
        size_t topic = size < 2 ? size : 2 + ((size_t)body[0] << 8 | body[1]);
        if (topic > size || size < 2) break;
        event.kind = EVENT_DELIVERY;
        event.payload = body + topic;
        event.payload_count = size - topic;
        break;
    }
    default: break;
    }
    return event;
}

const struct codec mqtt_codec = {
    .hello = hello,
    .subscribe = subscribe,
    .ping = ping,
    .publish = publish,
    .next = next,
};
