#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Bytes that grow at their end.
struct buffer {
    uint8_t *bytes;
    size_t count;
    size_t capacity;
};

void buffer_append(struct buffer *buffer, const void *bytes, size_t count);
void buffer_print(struct buffer *buffer, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void buffer_free(struct buffer *buffer);

/// The servers that the load generator can speak to.
enum server_kind { SERVER_RELAY, SERVER_NATS, SERVER_REDIS, SERVER_MQTT, SERVER_ETCD };

enum event_kind {
    /// The frame is not complete yet.
    EVENT_INCOMPLETE,
    /// A message that was published.
    EVENT_DELIVERY,
    /// A message of this connection is stored.
    EVENT_STORED,
    /// The server has processed everything before the ping, or a request.
    EVENT_READY,
    /// The server wants an answer to its ping.
    EVENT_PINGED,
    /// Something without a meaning for a measurement.
    EVENT_OTHER,
    /// The server refuses something, or the bytes are not its protocol.
    EVENT_REFUSED,
};

/// The next frame of a server.
struct event {
    enum event_kind kind;
    /// The length of the frame.
    size_t count;
    /// The payload of a delivery, in the bytes that were parsed.
    const uint8_t *payload;
    size_t payload_count;
};

/// How to speak to one kind of server.
struct codec {
    /// Whether the server greets in plain text before the TLS handshake.
    bool greets;
    /// The protocol that the TLS handshake names, after a byte with its length; NULL for none.
    const char *protocol;
    void (*hello)(struct buffer *out, unsigned client);
    void (*subscribe)(struct buffer *out, const char *topic);
    void (*ping)(struct buffer *out);
    /// Answers a ping of the server; NULL if it sends none.
    void (*pong)(struct buffer *out);
    /// Spares the server its answers to `publish`; NULL if there are none.
    void (*quiet)(struct buffer *out);
    void (*publish)(struct buffer *out, const char *topic, const uint8_t *payload, size_t count);
    /// Publishes a message that is acknowledged when it is stored; NULL if the server cannot.
    void (*store)(struct buffer *out, const char *key, const uint8_t *payload, size_t count);
    struct event (*next)(const uint8_t *bytes, size_t count);
};

const struct codec *codec_of(enum server_kind kind);

/// JetStream's requests, which it answers with `EVENT_READY`; `client` names the connection.
///
/// The stream keeps the last message of each key in a file.
void jetstream_create_stream(struct buffer *out, unsigned client);

/// A push consumer without acknowledgements: of all changes from now on, or of the last message of
/// each key too.
void jetstream_create_consumer(struct buffer *out, unsigned client, bool from_last);
