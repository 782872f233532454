/// The positions of this node's feed whose confirmation by a peer is awaited or was requested.
package struct AwaitedConfirmations: Sendable {
    /// The position up to which the peer has confirmed the feed.
    package private(set) var stored: UInt64 = 0
    /// The position up to which this node awaits the confirmation.
    ///
    /// The peer may confirm later announcements at any time.
    package private(set) var awaited: UInt64 = 0
    /// The highest position that was pushed, or sent with a request: the peer confirms soon.
    private var asked: UInt64 = 0
    /// The highest position whose confirmation somebody at this node waits for.
    private var urgent: UInt64 = 0
    /// The highest position whose confirmation was requested.
    private var requestedEnd: UInt64 = 0

    package init() {}

    /// The peer has confirmed `position`, and follows a feed that ends at `latest`.
    init(after position: UInt64, awaiting latest: UInt64) {
        stored = position
        awaited = latest
        asked = position
    }

    /// Whether this node waits for a confirmation.
    package var areAwaited: Bool { stored < awaited }

    /// Notes that this node waits until the peer has confirmed `position`.
    package mutating func await(_ position: UInt64) { awaited = max(awaited, position) }

    /// Notes that somebody waits for the confirmation of `position`, which may be yet to send.
    package mutating func becameUrgent(_ position: UInt64) { urgent = max(urgent, position) }

    /// Notes a position that is sent with a pushed envelope; 0 is none.
    package mutating func pushed(_ position: UInt64) { asked = max(asked, position) }

    /// Notes that the confirmation of a position is requested.
    package mutating func requested(_ position: UInt64) {
        asked = max(asked, position)
        requestedEnd = max(requestedEnd, position)
    }

    /// Whether a position that is announced without a push should request its confirmation.
    ///
    /// The first such position behind everything awaited makes the request.
    func shouldRequest(_ position: UInt64) -> Bool { asked < awaited && awaited <= position }

    /// Whether somebody waits for a confirmation up to `position` that no frame has requested.
    package func areUrgent(upTo position: UInt64) -> Bool {
        requestedEnd < urgent && urgent <= position && stored < urgent
    }

    /// Whether a watermark is due, if everything up to `sent` was sent: the peer has not confirmed
    /// an awaited position, and no push and no request has named it.
    ///
    /// The confirmation of the replay is requested at the end of the replay.
    package func oweWatermark(sent: UInt64, replayEnd: UInt64) -> Bool {
        sent >= replayEnd && asked < min(sent, awaited) && areAwaited || areUrgent(upTo: sent)
    }

    /// Notes that the peer has everything up to `position` on disk.
    ///
    /// - Returns: whether the position is higher than before.
    package mutating func confirmed(_ position: UInt64) -> Bool {
        guard position > stored else { return false }
        stored = position
        return true
    }
}
