#pragma once

#include "codec.h"
#include "tls.h"

/// One client of a server.
struct connection {
    int socket;
    /// NULL for a server without TLS.
    SSL *ssl;
    const struct codec *codec;
    unsigned number;
    /// Bytes to write, of which the first `written` are written.
    struct buffer out;
    size_t written;
    /// Whether the kernel would not take more of them.
    bool is_blocked;
    /// Received bytes that are not a complete frame yet.
    uint8_t *in;
    size_t in_count;
    /// Answers of the server, deliveries, and the sum of the numbers of delivered messages.
    unsigned ready;
    uint64_t stored;
    uint64_t deliveries;
    uint64_t sum;
};

/// Connects, with the TLS handshake unless the context is NULL; returns NULL, or why that failed.
const char *connection_open(
    struct connection *connection, SSL_CTX *context, const struct codec *codec, uint16_t port,
    unsigned number
);

/// Writes what the kernel takes; returns NULL or the reason of a failure.
const char *connection_flush(struct connection *connection);

/// Reads and counts all that has come; every delivery must have `payload` bytes. Returns NULL or
/// the reason of a failure.
const char *connection_receive(struct connection *connection, size_t payload);

void connection_close(struct connection *connection);
