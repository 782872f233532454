/// A pairing with another device: the exchange, the links and the deadline.
package struct Pairing: Sendable {
    /// The first eight bytes of the ID of the other device.
    package let hint: UInt64
    /// The other device, once there was a link to it.
    package internal(set) var device: DeviceID?
    /// The link for all frames of this side, once there is one.
    var link: LinkID?
    /// The link on which the other side sent its `commit`.
    var peerLink: LinkID?
    var exchange: PairingExchange
    package internal(set) var deadline: Moment
    /// The stage that people were told last.
    private var told: PairingNotice.Stage?

    /// How long people have for each stage.
    package static let patience = Interval.seconds(120)

    init(hint: UInt64, device: DeviceID?, own: DeviceID, at now: Moment) {
        self.hint = hint
        self.device = device
        exchange = PairingExchange(of: own)
        deadline = now + Self.patience
    }

    package var stage: PairingNotice.Stage {
        switch exchange.state {
        case .asked(let offers): .asked(offers: offers)
        case .waiting: .waiting
        case .comparing(let digits, let isConfirmed):
            .comparing(digits, isConfirmed: isConfirmed)
        case .done(let given): .ended(.done(given))
        case .nothingOffered: .ended(.nothingOffered)
        case .ownedByOne: .ended(.ownedByOne)
        }
    }

    /// Whether the pairing needs a link.
    func uses(_ id: LinkID) -> Bool { link == id || peerLink == id }

    /// The news for people since the last call.
    ///
    /// People have time anew once there are digits to compare.
    mutating func takeNotice(at now: Moment) -> PairingNotice? {
        let stage = stage
        guard stage != told else { return nil }
        if case .comparing(_, isConfirmed: false) = stage { deadline = now + Self.patience }
        told = stage
        return notice(of: stage)
    }

    /// The notice that the pairing has ended.
    func ended(_ end: PairingEnd) -> PairingNotice { notice(of: .ended(end)) }

    /// Whether one of the people says that both devices are the same person's.
    package var isForOwn: Bool { exchange.isForOwn }

    package func notice(of stage: PairingNotice.Stage) -> PairingNotice {
        PairingNotice(hint: hint, device: device, stage: stage, isForOwn: isForOwn)
    }
}
