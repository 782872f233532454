package import ParleyLoop

/// Times and sizes of a transport; the defaults follow the protocol, and tests use shorter ones.
package struct TransportSettings: Sendable {
    /// The time limit from the TCP connection to the end of the TLS handshake.
    package var handshakeTimeout: Duration = .seconds(5)
    /// The time limit from the first SYN to the TCP connection.
    package var connectTimeout: Duration = .seconds(1)
    /// The time limit for resolving the names of one dial.
    package var resolveTimeout: Duration = .seconds(5)
    /// The delay between the attempts of a dial.
    package var dialStagger: Duration = .milliseconds(250)
    /// The greatest number of addresses that one dial tries.
    package var dialAddresses = 16
    /// The time limit for a closing connection to send its last bytes.
    package var closeTimeout: Duration = .seconds(2)
    /// A connection ends when written bytes stay unacknowledged for this long.
    package var userTimeout: Duration = .seconds(15)
    /// The kernel's keepalive probes.
    package var keepalive = Keepalive()
    /// TLS records that are sent under one key.
    package var recordsPerKey = 1 << 23
    /// Records that a peer sends at least between two changes of its key.
    package var recordsBetweenKeyUpdates = 1 << 10
    /// Unsent bytes that the kernel may hold per connection.
    ///
    /// A low limit keeps bytes in this process, where later bytes can still supersede them.
    package var unsentBytes = 256 << 10
    /// The most ciphertext, in bytes, that one read takes from a connection.
    package var readBytes = 256 << 10
    /// The most plaintext, in bytes, sealed at once for a connection, so that none starves the
    /// others.
    package var writeBytes = 1 << 20
    /// How a listener accepts; dials leave as many descriptors free.
    package var accepting = AcceptLoop.Limits()

    /// The kernel's probes of a silent connection; `idle` and `interval` are in seconds.
    ///
    /// The connection ends after `count` unanswered probes.
    package struct Keepalive: Sendable {
        package var idle: Int32 = 5
        package var interval: Int32 = 3
        package var count: Int32 = 3

        package init() {}
    }

    package init() {}
}
