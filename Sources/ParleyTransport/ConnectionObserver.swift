package import ParleyCore

/// The receiver of the events of a transport.
///
/// All calls are made on the loop's queue, one after the other, and never from inside a call to the
/// transport. The observer may call the transport from inside each of them.
package protocol ConnectionObserver: AnyObject, Sendable {
    /// A peer has connected; if the result is true, TLS begins, otherwise the socket is closed and
    /// no further event for `id` follows.
    func connectionArrived(_ id: ConnectionID, from remote: SocketAddress) -> Bool

    /// TLS is complete, and bytes may flow both ways.
    func connectionOpened(_ id: ConnectionID, _ opening: ConnectionOpening)

    /// Plaintext of one read has arrived, in a chunk of its own.
    ///
    /// Empty `bytes` mean that the turn of unfinished work has come.
    func connectionReceived(_ id: ConnectionID, _ bytes: Slice)

    /// The kernel has accepted all bytes that were passed to `send`.
    func connectionDrained(_ id: ConnectionID)

    /// The connection has ended, and no further event for it follows.
    ///
    /// Every admitted or opened connection gets one report, unless the observer aborted it.
    func connectionClosed(_ id: ConnectionID, _ reason: TransportError)

    /// No address of a dial led to a connection; reported once, instead of `connectionOpened`.
    func dialFailed(_ dial: TransportDialID, _ failures: [DialFailure])

    /// A listener has stopped accepting because descriptors or memory have run out; with nil, it
    /// accepts again.
    func listenerPaused(_ reason: TransportError?)
}

/// The properties of a connection that are known once TLS is complete.
package struct ConnectionOpening: Sendable, Hashable {
    /// The protocol that both ends speak.
    package let spoken: TransportProtocol
    /// The raw Ed25519 public key of the peer, which has proven to hold the private key.
    package let peerKey: Bytes32
    /// The TLS exporter with the label `EXPORTER-parley` and no context: 32 bytes that only the two
    /// ends know.
    package let exporter: Bytes32
    /// The dial that made the connection; nil if the peer has dialled.
    package let dial: TransportDialID?
    /// The peer's address; its port is ephemeral if the peer has dialled.
    package let remote: SocketAddress
}

/// Why one attempt of a dial failed.
package struct DialFailure: Sendable, Hashable {
    /// The address of the attempt, or the name that was not resolved.
    package let endpoint: Endpoint
    package let reason: TransportError

    package init(endpoint: Endpoint, reason: TransportError) {
        self.endpoint = endpoint
        self.reason = reason
    }
}
