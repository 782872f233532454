/// A pairing with another device: two people compare digits, and a conversation is shared.
public struct PairingState: Hashable, Sendable, Identifiable {
    /// How far a pairing has come.
    public enum Stage: Hashable, Sendable {
        /// The other device asks to pair; `shares` says whether it shares a conversation.
        case asked(shares: Bool)
        /// This node asks, and the other device or its person has not answered.
        case waiting
        /// The people compare six digits; `isConfirmed` says whether the one here has confirmed.
        case comparing(digits: String, isConfirmed: Bool)
        case ended(Ending)
    }

    /// How a pairing ended.
    public enum Ending: Hashable, Sendable {
        /// Both people have confirmed. `joined` is the local name of the conversation shared by the
        /// other device, nil if only this node shares one.
        case done(joined: String?)
        /// The device is another one of the person here, with the name `as` on all devices.
        case linked(as: String)
        /// Both people have confirmed, and this node could not keep what was given.
        case notJoined(NodeError)
        /// Neither side shares a conversation.
        case nothingShared
        /// Only one of the people has called both devices the own ones.
        case ownedByOne
        /// The person here ended it.
        case cancelled
        /// The person of the other device ended it.
        case declined
        /// The other device takes no more requests at the moment.
        case refused
        /// Nobody answered or confirmed in time.
        case timedOut
        /// The link to the other device ended, or that device started over.
        case lost
        /// The software of the other device cannot pair.
        case unsupported
        /// The other device, or somebody between the devices, cheated.
        case forged
    }

    /// The name of the pairing on this node, the same for all pairings with that device.
    public let id: String
    /// The device ID in its text form; shorter until there was a link to the device.
    public let device: String
    /// The name of the device for people, which is not proven before the pairing is done.
    public let name: String?
    /// How far it has come.
    public let stage: Stage
    /// Whether one of the people has called both devices the own ones.
    public let isForOwn: Bool

    package init(
        id: String,
        device: String,
        name: String?,
        stage: Stage,
        isForOwn: Bool = false
    ) {
        self.id = id
        self.device = device
        self.name = name
        self.stage = stage
        self.isForOwn = isForOwn
    }

    /// Whether it is over.
    public var hasEnded: Bool {
        if case .ended = stage { true } else { false }
    }
}
