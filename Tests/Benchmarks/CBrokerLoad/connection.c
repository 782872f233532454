#include "connection.h"
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/// The room for received bytes: several TLS records and the rest of a frame.
enum { IN_BYTES = 64 << 10 };

/// Reads the line with which a server greets in plain text, and not a byte more.
static bool skip_greeting(int socket) {
    char byte = 0;
    while (byte != '\n')
        if (read(socket, &byte, 1) != 1) return false;
    return true;
}

static bool shake_hands(struct connection *connection, SSL_CTX *context) {
    const char *protocol = connection->codec->protocol;
    connection->ssl = SSL_new(context);
    if (!connection->ssl || SSL_set_fd(connection->ssl, connection->socket) != 1) return false;
    if (protocol
        && SSL_set_alpn_protos(
            connection->ssl, (const uint8_t *)protocol, (unsigned)strlen(protocol)
        ))
        return false;
    return SSL_connect(connection->ssl) == 1;
}

const char *connection_open(
    struct connection *connection, SSL_CTX *context, const struct codec *codec, uint16_t port,
    unsigned number
) {
    *connection = (struct connection){.codec = codec, .number = number};
    connection->in = malloc(IN_BYTES);
    connection->socket = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (!connection->in || connection->socket < 0) return "there is no socket";
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr = {htonl(INADDR_LOOPBACK)},
    };
    if (connect(connection->socket, (struct sockaddr *)&address, sizeof address))
        return "the server does not accept connections";
    int one = 1;
    setsockopt(connection->socket, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    if (codec->greets && !skip_greeting(connection->socket)) return "the server did not greet";
    if (context && !shake_hands(connection, context)) return "the TLS handshake failed";
    fcntl(connection->socket, F_SETFL, O_NONBLOCK);
    codec->hello(&connection->out, number);
    return NULL;
}

/// The result of a call on a socket without TLS, as `tls_read` and `tls_write` give it.
static long plain(ssize_t count) {
    if (count > 0) return count;
    return count < 0 && errno == EAGAIN ? TLS_LATER : TLS_CLOSED;
}

const char *connection_flush(struct connection *connection) {
    struct buffer *out = &connection->out;
    connection->is_blocked = false;
    while (connection->written < out->count) {
        const uint8_t *bytes = out->bytes + connection->written;
        size_t rest = out->count - connection->written;
        long count = connection->ssl ? tls_write(connection->ssl, bytes, rest)
                                     : plain(write(connection->socket, bytes, rest));
        if (count == TLS_CLOSED) return "the server closed a connection that was written to";
        if (count == TLS_LATER) {
            connection->is_blocked = true;
            return NULL;
        }
        connection->written += (size_t)count;
    }
    out->count = 0;
    connection->written = 0;
    return NULL;
}

static uint64_t message_number(const uint8_t *payload) {
    uint64_t number = 0;
    for (int i = 0; i < 8; i++) number = number << 8 | payload[i];
    return number;
}

/// Why a frame of the server ends the load; valid until the next call.
static const char *refusal(const uint8_t *bytes, size_t count) {
    static char text[120];
    snprintf(text, sizeof text, "the server says %.*s", count < 90 ? (int)count : 90, bytes);
    return text;
}

static const char *take(
    struct connection *connection, const struct event *event, const uint8_t *bytes,
    size_t payload
) {
    switch (event->kind) {
    case EVENT_DELIVERY:
        if (event->payload_count != payload) return "a message has a wrong length";
        connection->deliveries++;
        connection->sum += message_number(event->payload);
        break;
    case EVENT_STORED: connection->stored++; break;
    case EVENT_READY: connection->ready++; break;
    case EVENT_PINGED: connection->codec->pong(&connection->out); break;
    case EVENT_REFUSED: return refusal(bytes, event->count);
    case EVENT_INCOMPLETE:
    case EVENT_OTHER: break;
    }
    return NULL;
}

const char *connection_receive(struct connection *connection, size_t payload) {
    for (;;) {
        uint8_t *bytes = connection->in + connection->in_count;
        size_t room = IN_BYTES - connection->in_count;
        long count = connection->ssl ? tls_read(connection->ssl, bytes, room)
                                     : plain(read(connection->socket, bytes, room));
        if (count == TLS_LATER) return NULL;
        if (count == TLS_CLOSED) return "the server closed a connection";
        connection->in_count += (size_t)count;
        size_t at = 0;
        while (at < connection->in_count) {
            struct event event = connection->codec->next(
                connection->in + at, connection->in_count - at
            );
            if (event.kind == EVENT_INCOMPLETE) break;
            const char *reason = take(
                connection, &event, connection->in + at, payload
            );
            if (reason) return reason;
            at += event.count;
        }
        if (at == 0 && connection->in_count == IN_BYTES) return "a frame is too long";
        memmove(connection->in, connection->in + at, connection->in_count - at);
        connection->in_count -= at;
    }
}

void connection_close(struct connection *connection) {
    if (connection->ssl) SSL_free(connection->ssl);
    if (connection->socket > 0) close(connection->socket);
    free(connection->in);
    buffer_free(&connection->out);
    *connection = (struct connection){0};
}
