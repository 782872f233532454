#include "codecs.h"
#include "relay_frame.h"

static void frame(
    struct buffer *out, uint8_t type, const char *topic, const uint8_t *payload, size_t count
) {
    size_t length = strlen(topic);
    uint8_t head[RELAY_HEAD];
    relay_frame_put(head, RELAY_HEAD + length + count);
    head[4] = type;
    head[5] = (uint8_t)length;
    buffer_append(out, head, sizeof head);
    buffer_append(out, topic, length);
    buffer_append(out, payload, count);
}

static void hello(struct buffer *out, unsigned client) {
    (void)out;
    (void)client;
}

static void subscribe(struct buffer *out, const char *topic) {
    frame(out, RELAY_SUBSCRIBE, topic, NULL, 0);
}

static void ping(struct buffer *out) { frame(out, RELAY_PING, "", NULL, 0); }

static void publish(
    struct buffer *out, const char *topic, const uint8_t *payload, size_t count
) {
    frame(out, RELAY_PUBLISH, topic, payload, count);
}

static void store(struct buffer *out, const char *key, const uint8_t *payload, size_t count) {
    frame(out, RELAY_STORE, key, payload, count);
}

static struct event next(const uint8_t *bytes, size_t count) {
    if (count < RELAY_HEAD) return (struct event){.kind = EVENT_INCOMPLETE};
    size_t length = relay_frame_count(bytes), topic = bytes[5];
    if (length < RELAY_HEAD + topic || length > MESSAGE_MAX)
        return (struct event){.kind = EVENT_REFUSED, .count = count};
    if (count < length) return (struct event){.kind = EVENT_INCOMPLETE};
    struct event event = {.kind = EVENT_REFUSED, .count = length};
    switch (bytes[4]) {
    case RELAY_PUBLISH:
    case RELAY_STORE:
        event.kind = EVENT_DELIVERY;
        event.payload = bytes + RELAY_HEAD + topic;
        event.payload_count = length - RELAY_HEAD - topic;
        break;
    case RELAY_PING: event.kind = EVENT_READY; break;
    case RELAY_STORED: event.kind = EVENT_STORED; break;
    default: break;
    }
    return event;
}

const struct codec relay_codec = {
    .hello = hello,
    .subscribe = subscribe,
    .ping = ping,
    .publish = publish,
    .store = store,
    .next = next,
};
