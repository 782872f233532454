/// An invite that ends by time, by the number of devices that came by it, or because it is revoked.
///
/// Its link has no secret of the conversation: who has the token knocks at this node, which counts.
package struct EndingInvite: Sendable, Equatable {
    /// Whether a knock is heard.
    package enum State: Sendable, Equatable {
        case open
        case ended
        case usedUp
        case revoked
    }

    /// The number of the invite on this node, from 1.
    package let number: UInt32
    package let role: Capability.Role
    /// The secret of the link: 16 random bytes.
    package let token: Bytes16
    /// The text of the invite with the keys, which those get who are let in.
    package let keys: Slice
    /// The devices that may come, within `Limits.inviteUses`.
    package let uses: UInt32
    /// The seconds that the invite lasts; nil without an end.
    package let lasts: UInt64?
    /// The end by the wall clock, in seconds since 1970; nil without an end.
    package let endsAt: UInt64?
    /// The seconds for which the node has run since.
    package private(set) var ran: UInt64 = 0
    package internal(set) var isRevoked = false
    /// The devices that were let in, in order.
    package private(set) var came: [DeviceID] = []

    /// An invite that was made at a time of the wall clock.
    package init(
        number: UInt32,
        role: Capability.Role,
        token: Bytes16,
        keys: Slice,
        uses: UInt32,
        lasts: UInt64?,
        madeAt wall: UInt64
    ) {
        self.number = number
        self.role = role
        self.token = token
        self.keys = keys
        self.uses = uses
        self.lasts = lasts
        endsAt = lasts.map { wall + $0 }
    }

    package var state: State {
        if isRevoked { return .revoked }
        if let lasts, ran >= lasts { return .ended }
        return came.count < Int(uses) ? .open : .usedUp
    }

    /// Whether time still changes the state.
    var isTimed: Bool { lasts.map { ran < $0 } ?? false && !isRevoked }

    /// The node has run for some more seconds.
    ///
    /// Whichever is over first ends the invite for good: the time of the wall clock, or the time
    /// that the node has run. A clock that is set back gains nothing.
    mutating func pass(_ seconds: UInt64, wall: UInt64) {
        guard let lasts, let endsAt, ran < lasts else { return }
        ran = wall >= endsAt ? lasts : min(lasts, ran + seconds)
    }

    /// Lets a device in; the same device again takes no use.
    ///
    /// - Returns: the reason against it.
    mutating func admit(_ device: DeviceID) -> KnockRefusal? {
        switch state {
        case .revoked: return .revoked
        case .ended: return .ended
        case .usedUp where !came.contains(device): return .usedUp
        case .open, .usedUp: break
        }
        if !came.contains(device) { came.append(device) }
        return nil
    }
}

extension EndingInvite {
    /// The form in the store.
    package var stored: [UInt8] { itemBytes }

    /// Reads the form in the store.
    package init(stored bytes: Slice) throws(CodecError) { try self.init(item: bytes) }
}

extension Capability.Role: CBORItem {}

extension EndingInvite: CBORMap {
    init<Coder: MapCoder<Self>>(fields map: inout Coder) throws(Coder.Failure) {
        number = try map.field(1) { $0.number }
        role = try map.field(2) { $0.role }
        uses = try map.field(3) { $0.uses }
        lasts = try map.optional(4) { $0.lasts }
        endsAt = try map.optional(5) { $0.endsAt }
        ran = try map.field(6) { $0.ran }
        isRevoked = try map.field(7) { UInt64($0.isRevoked ? 1 : 0) } == 1
        token = try map.field(8) { $0.token }
        keys = try map.bytes(9, lengthMax: Limits.pairingBytes) { $0.keys }.compacted()
        came = try map.packed(10, count: 0...Int(Limits.inviteUses.upperBound)) { $0.came }
    }
}
