// The part of gRPC over HTTP/2 that etcd's puts need. Each request is a stream of its own. The
// server's window is not looked at, so what is in flight must stay below 65,535 bytes.
#include "codecs.h"
#include <stdlib.h>
#include <string.h>

enum {
    FRAME_HEAD = 9,
    DATA = 0,
    HEADERS = 1,
    RESET = 3,
    SETTINGS = 4,
    GO_AWAY = 7,
    WINDOW_UPDATE = 8,
    ACK = 1,
    END_STREAM = 1,
    END_HEADERS = 4,
    PING_STREAM = 1,
    /// The stream of the first message.
    FIRST_STREAM = 3,
};

static void frame(
    struct buffer *out, uint8_t type, uint8_t flags, uint32_t stream, const struct buffer *body
) {
    uint32_t count = (uint32_t)body->count;
    uint8_t head[FRAME_HEAD] = {
        (uint8_t)(count >> 16), (uint8_t)(count >> 8), (uint8_t)count, type, flags,
        (uint8_t)(stream >> 24), (uint8_t)(stream >> 16), (uint8_t)(stream >> 8), (uint8_t)stream,
    };
    buffer_append(out, head, sizeof head);
    buffer_append(out, body->bytes, body->count);
}

static void hello(struct buffer *out, unsigned client) {
    (void)client;
    append_text(out, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
    struct buffer body = {0};
    frame(out, SETTINGS, 0, 0, &body);
    // The acknowledgement leaves before the settings of the server are here: nothing in them matters.
    frame(out, SETTINGS, ACK, 0, &body);
    // All answers of a load fit into this window of the connection.
    buffer_append(&body, "\x7f\xfe\0\0", 4);
    frame(out, WINDOW_UPDATE, 0, 0, &body);
    buffer_free(&body);
}

/// A text of HPACK after the byte with its length, which is below 127.
static void text(struct buffer *out, const char *text) {
    buffer_append(out, &(uint8_t){(uint8_t)strlen(text)}, 1);
    append_text(out, text);
}

/// A field of bytes in the encoding of protobuf.
static void field(struct buffer *out, uint8_t number, const void *bytes, size_t count) {
    buffer_append(out, &(uint8_t){(uint8_t)(number << 3 | 2)}, 1);
    size_t rest = count;
    for (; rest > 127; rest >>= 7) buffer_append(out, &(uint8_t){(uint8_t)(rest | 128)}, 1);
    buffer_append(out, &(uint8_t){(uint8_t)rest}, 1);
    buffer_append(out, bytes, count);
}

static void call(
    struct buffer *out, const char *method, uint32_t stream, const struct buffer *message
) {
    struct buffer body = {0};
    // :method POST and :scheme https of the static table, then literals that nobody remembers:
    // :path, :authority, content-type and te.
    buffer_append(&body, "\x83\x87\x04", 3);
    text(&body, method);
    buffer_append(&body, "\x01", 1);
    text(&body, "localhost");
    buffer_append(&body, "\x0f\x10", 2);
    text(&body, "application/grpc");
    buffer_append(&body, "\0", 1);
    text(&body, "te");
    text(&body, "trailers");
    frame(out, HEADERS, END_HEADERS, stream, &body);
    body.count = 0;
    uint32_t count = (uint32_t)message->count;
    uint8_t prefix[] = {
        0, (uint8_t)(count >> 24), (uint8_t)(count >> 16), (uint8_t)(count >> 8), (uint8_t)count,
    };
    buffer_append(&body, prefix, sizeof prefix);
    buffer_append(&body, message->bytes, message->count);
    frame(out, DATA, END_STREAM, stream, &body);
    buffer_free(&body);
}

/// A read of a key, which a server answers once it has a leader.
static void ping(struct buffer *out) {
    struct buffer message = {0};
    field(&message, 1, "topic", 5);
    call(out, "/etcdserverpb.KV/Range", PING_STREAM, &message);
    buffer_free(&message);
}

/// The number in the key is that of the stream, as each message has a key of its own.
static void store(struct buffer *out, const char *key, const uint8_t *payload, size_t count) {
    const char *digits = key + strcspn(key, "0123456789");
    uint32_t stream = FIRST_STREAM + 2 * (uint32_t)strtoul(digits, NULL, 10);
    struct buffer message = {0};
    field(&message, 1, key, strlen(key));
    field(&message, 2, payload, count);
    call(out, "/etcdserverpb.KV/Put", stream, &message);
    buffer_free(&message);
}

/// An answer is a frame of data; a call that fails has none, and only its headers end the stream.
static struct event next(const uint8_t *bytes, size_t count) {
    if (count < FRAME_HEAD) return (struct event){.kind = EVENT_INCOMPLETE};
    size_t body = (size_t)bytes[0] << 16 | (size_t)bytes[1] << 8 | bytes[2];
    if (body > MESSAGE_MAX) return (struct event){.kind = EVENT_REFUSED, .count = FRAME_HEAD};
    if (count < FRAME_HEAD + body) return (struct event){.kind = EVENT_INCOMPLETE};
    struct event event = {.kind = EVENT_OTHER, .count = FRAME_HEAD + body};
    uint8_t type = bytes[3];
    bool is_ping = bytes[8] == PING_STREAM && !bytes[5] && !bytes[6] && !bytes[7];
    if (type == RESET || type == GO_AWAY) event.kind = EVENT_REFUSED;
    else if (type == DATA && body) event.kind = is_ping ? EVENT_READY : EVENT_STORED;
    return event;
}

const struct codec etcd_codec = {
    .protocol = "\x02h2",
    .hello = hello,
    .ping = ping,
    .store = store,
    .next = next,
};
