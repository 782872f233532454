#pragma once

#include "codec.h"
#include <sys/types.h>

/// How fast messages are published.
enum load_pace {
    /// At most `amount` bytes have not been received by the slowest reader.
    PACE_WINDOW,
    /// `amount` messages a second.
    PACE_RATE,
    /// At most `amount` messages are not acknowledged as stored.
    PACE_STORED,
};

/// A load for one server: one publisher, and readers of which each checks that it receives every
/// message of its topic once.
struct load {
    enum server_kind server;
    /// The server's port on the loopback interface, and its process.
    uint16_t port;
    pid_t process;
    /// The directory of `ca.crt`, `client.crt` and `client.key`.
    const char *certificates;
    /// Whether the server was built without TLS.
    bool is_plain;
    uint32_t readers;
    /// Message n has topic n modulo `topics`.
    uint32_t topics;
    /// Whether JetStream keeps the messages, and each reader reads all topics from a consumer;
    /// otherwise reader n reads topic n modulo `topics`.
    bool has_stream;
    size_t payload;
    /// Numbers of messages: those before the measurement, and those of the measurement.
    uint64_t warm;
    uint64_t measured;
    enum load_pace pace;
    double amount;
};

/// The figures of a load.
struct load_result {
    double seconds;
    /// The processor time of the server's process and of this one, all threads, user and kernel.
    double server_seconds;
    double own_seconds;
    /// The cipher suite that was negotiated.
    char cipher[64];
    /// Why the load failed.
    char error[256];
};

/// Runs a load; returns false if it failed.
bool load_run(const struct load *load, struct load_result *result);

/// Stores `measured` messages of as many topics with JetStream, and then measures the time until a
/// new reader has the last message of all topics.
bool load_catch_up(const struct load *load, struct load_result *result);

/// Forwards messages until the standard input ends: the limit of what a relay in user space can do.
///
/// The process is single-threaded. It looks up each message's topic and forwards slices of what it
/// read. Messages that are to be stored are appended to a journal, with one sync for all that were
/// read together. Calls `ready` with its port.
bool relay_run(const char *certificates, const char *journal, void (*ready)(uint16_t port));
