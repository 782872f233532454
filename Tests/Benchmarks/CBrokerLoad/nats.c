#include "codecs.h"
#include <stdlib.h>
#include <string.h>

// The subjects to which JetStream sends its answers: to requests, and to stored messages. A
// subscription to them is made by each client that needs it.
#define REQUEST_INBOX "_INBOX.request."
#define STORED_INBOX "_INBOX.stored"

static void hello(struct buffer *out, unsigned client) {
    (void)client;
    buffer_print(out, "CONNECT {\"verbose\":false,\"pedantic\":false,\"lang\":\"c\","
                      "\"version\":\"1\",\"protocol\":1}\r\n");
}

static void subscribe(struct buffer *out, const char *topic) {
    buffer_print(out, "SUB %s 1\r\n", topic);
}

static void ping(struct buffer *out) { buffer_append(out, "PING\r\n", 6); }
static void pong(struct buffer *out) { buffer_append(out, "PONG\r\n", 6); }

static void publish(
    struct buffer *out, const char *topic, const uint8_t *payload, size_t count
) {
    append_text(out, "PUB ");
    append_text(out, topic);
    append_text(out, " ");
    append_number(out, count);
    append_text(out, "\r\n");
    buffer_append(out, payload, count);
    append_text(out, "\r\n");
}

static void store(struct buffer *out, const char *key, const uint8_t *payload, size_t count) {
    append_text(out, "PUB ");
    append_text(out, key);
    append_text(out, " " STORED_INBOX " ");
    append_number(out, count);
    append_text(out, "\r\n");
    buffer_append(out, payload, count);
    append_text(out, "\r\n");
}

static bool begins(const uint8_t *bytes, size_t count, const char *text) {
    size_t length = strlen(text);
    return count >= length && memcmp(bytes, text, length) == 0;
}

/// The event of a message: `MSG subject sid [reply] size`, where `line` counts the line with its
/// end.
static struct event message(const uint8_t *bytes, size_t count, size_t line) {
    size_t start = line - 2;
    while (bytes[start - 1] != ' ') start--;
    size_t size = 0;
    for (size_t i = start; i < line - 2; i++) {
        if (bytes[i] < '0' || bytes[i] > '9' || size > MESSAGE_MAX)
            return (struct event){.kind = EVENT_REFUSED, .count = line};
        size = 10 * size + (size_t)(bytes[i] - '0');
    }
    if (count < line + size + 2) return (struct event){.kind = EVENT_INCOMPLETE};
    struct event event = {
        .count = line + size + 2, .payload = bytes + line, .payload_count = size,
    };
    bool is_answer = begins(bytes + 4, line - 4, "_INBOX.");
    bool has_failed = is_answer && memmem(event.payload, size, "\"error\"", 7);
    if (has_failed) event.kind = EVENT_REFUSED;
    else if (begins(bytes + 4, line - 4, STORED_INBOX)) event.kind = EVENT_STORED;
    else event.kind = is_answer ? EVENT_READY : EVENT_DELIVERY;
    return event;
}

static struct event next(const uint8_t *bytes, size_t count) {
    const uint8_t *end = memchr(bytes, '\n', count);
    if (!end) return (struct event){.kind = EVENT_INCOMPLETE};
    size_t line = (size_t)(end - bytes) + 1;
    if (line > 4 && begins(bytes, line, "MSG ")) return message(bytes, count, line);
    struct event event = {.kind = EVENT_REFUSED, .count = line};
    if (begins(bytes, line, "PONG")) event.kind = EVENT_READY;
    else if (begins(bytes, line, "PING")) event.kind = EVENT_PINGED;
    else if (begins(bytes, line, "+OK") || begins(bytes, line, "INFO")) event.kind = EVENT_OTHER;
    return event;
}

const struct codec nats_codec = {
    .greets = true,
    .hello = hello,
    .subscribe = subscribe,
    .ping = ping,
    .pong = pong,
    .publish = publish,
    .store = store,
    .next = next,
};

static void request(
    struct buffer *out, const char *subject, unsigned client, const struct buffer *body
) {
    buffer_print(out, "PUB %s " REQUEST_INBOX "%u %zu\r\n", subject, client, body->count);
    buffer_append(out, body->bytes, body->count);
    append_text(out, "\r\n");
}

void jetstream_create_stream(struct buffer *out, unsigned client) {
    buffer_print(out, "SUB " REQUEST_INBOX "%u 2\r\nSUB " STORED_INBOX " 3\r\n", client);
    struct buffer body = {0};
    buffer_print(
        &body,
        "{\"name\":\"bench\",\"subjects\":[\"topic.*\"],\"storage\":\"file\","
        "\"max_msgs_per_subject\":1,\"retention\":\"limits\",\"discard\":\"old\","
        "\"max_consumers\":-1,\"max_msgs\":-1,\"max_bytes\":-1,\"max_msg_size\":-1,"
        "\"max_age\":0,\"num_replicas\":1,\"duplicate_window\":0}"
    );
    request(out, "$JS.API.STREAM.CREATE.bench", client, &body);
    buffer_free(&body);
}

void jetstream_create_consumer(struct buffer *out, unsigned client, bool from_last) {
    buffer_print(out, "SUB " REQUEST_INBOX "%u 2\r\nSUB deliver.%u 1\r\n", client, client);
    struct buffer body = {0};
    buffer_print(
        &body,
        "{\"stream_name\":\"bench\",\"config\":{\"deliver_subject\":\"deliver.%u\","
        "\"deliver_policy\":\"%s\",\"ack_policy\":\"none\",\"replay_policy\":\"instant\"%s}}",
        client, from_last ? "last_per_subject" : "new",
        from_last ? ",\"filter_subject\":\"topic.*\"" : ""
    );
    request(out, "$JS.API.CONSUMER.CREATE.bench", client, &body);
    buffer_free(&body);
}
