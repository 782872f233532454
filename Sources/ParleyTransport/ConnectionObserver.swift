package import ParleyCore

/// Who is told what happens on the connections of a transport.
///
/// All calls come on the loop's queue, one after the other, and never from inside a call that the
/// observer makes to the transport; the observer may call the transport from inside each of them.
package protocol ConnectionObserver: AnyObject, Sendable {
    /// A stranger has connected; TLS begins if the answer is true, else the socket is closed and
    /// `id` is not heard of again.
    func connectionArrived(_ id: ConnectionID, from remote: SocketAddress) -> Bool

    /// TLS is complete, and bytes may flow both ways.
    func connectionOpened(_ id: ConnectionID, _ opening: ConnectionOpening)

    /// Bytes arrived, all that one wake-up read, in a chunk of their own.
    func connectionReceived(_ id: ConnectionID, _ bytes: Slice)

    /// All bytes handed over have been given to the kernel.
    func connectionDrained(_ id: ConnectionID)

    /// The connection is gone. Comes once for every connection that arrived and was admitted or was
    /// opened, unless the observer aborted it; nothing follows.
    func connectionClosed(_ id: ConnectionID, _ reason: TransportError)

    /// A dial has reached the device with `key`: whether that is the one it was for. The first for
    /// which the answer is true is opened, and the other attempts of the dial end.
    func dialReached(_ dial: DialID, key: Bytes32, at remote: SocketAddress) -> Bool

    /// No address of a dial led to a connection. Comes once, instead of `connectionOpened`.
    func dialFailed(_ dial: DialID, _ failures: [DialFailure])

    /// A listener rests since descriptors or memory have run out (nil: it accepts again).
    func listenerRests(_ reason: TransportError?)
}

/// What is known when a connection is opened.
package struct ConnectionOpening: Sendable, Hashable {
    /// The raw Ed25519 public key that the peer has proven to hold.
    package let peerKey: Bytes32
    /// 32 bytes that only both ends know: label `EXPORTER-parley`, no context.
    package let exporter: Bytes32
    /// The dial that led here; nil if the peer has dialled.
    package let dial: DialID?
    /// Where the peer is; its port is ephemeral if it has dialled.
    package let remote: SocketAddress
    /// Our end.
    package let local: SocketAddress?

    /// Whether this side was the client of TCP and TLS.
    package var isInitiator: Bool { dial != nil }
}

/// Why one attempt of a dial failed.
package struct DialFailure: Sendable, Hashable {
    /// What was tried: an address, or the name that was not found.
    package let endpoint: Endpoint
    package let reason: TransportError

    package init(endpoint: Endpoint, reason: TransportError) {
        self.endpoint = endpoint
        self.reason = reason
    }
}
