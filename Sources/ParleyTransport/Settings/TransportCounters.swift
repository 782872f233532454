/// The counters of a transport since it was made, for metrics and tests; they never decrease.
package struct TransportCounters: Sendable, Equatable {
    /// Received ciphertext, in bytes.
    package var bytesReceived = 0
    /// Ciphertext that the kernel has accepted, in bytes.
    package var bytesSent = 0
    /// Reads that returned bytes.
    package var reads = 0
    /// Calls in which the kernel accepted ciphertext.
    package var writes = 0
    /// Times that the queued bytes of a connection were sealed and written.
    package var flushes = 0
    /// TLS key updates of this side, each after `recordsPerKey` records.
    package var keyUpdates = 0
    /// Accepted connections, admitted or not.
    package var accepted = 0
    /// Connections that the observer did not admit.
    package var turnedAway = 0
    /// Completed handshakes.
    package var opened = 0
    /// Admitted or dialled connections that ended before TLS was complete.
    package var handshakesFailed = 0

    package init() {}

    /// The kernel accepted `bytes` of ciphertext in one call, or 0 if it accepts none at present.
    mutating func sent(_ bytes: Int) {
        guard bytes > 0 else { return }
        writes += 1
        bytesSent += bytes
    }
}
