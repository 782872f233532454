/// What a transport has done since it was made, for metrics and tests; counts never go down.
package struct TransportCounters: Sendable, Equatable {
    /// Ciphertext that arrived, in bytes.
    package var bytesReceived = 0
    /// Ciphertext that was given to the kernel, in bytes.
    package var bytesSent = 0
    /// Wake-ups that read something.
    package var reads = 0
    /// Gathered writes: turns in which one connection sealed something.
    package var flushes = 0
    /// Changes of our own key after the number of records in the settings.
    package var keyUpdates = 0
    /// Connections accepted, admitted or not.
    package var accepted = 0
    /// Connections that the observer did not admit.
    package var turnedAway = 0
    /// Handshakes completed.
    package var opened = 0
    /// Admitted or dialled connections that ended before TLS was complete.
    package var handshakesFailed = 0
}
