/// A change of a pairing, for people.
package struct PairingNotice: Sendable, Equatable {
    /// How far a pairing has come.
    package enum Stage: Sendable, Equatable {
        /// The other device asks.
        case asked(offers: PairingOffer.Kind)
        /// The other device, or its person, has not answered yet.
        case waiting
        /// The people compare the digits; `isConfirmed` says whether the person here has confirmed.
        case comparing(PairingDigits, isConfirmed: Bool)
        case ended(PairingEnd)
    }

    /// The first eight bytes of the ID of the other device.
    package let hint: UInt64
    /// The other device, once there was a link to it.
    package let device: DeviceID?
    package let stage: Stage
    /// Whether the devices are to be one person's.
    package let isForOwn: Bool

    package init(hint: UInt64, device: DeviceID?, stage: Stage, isForOwn: Bool = false) {
        self.hint = hint
        self.device = device
        self.stage = stage
        self.isForOwn = isForOwn
    }
}

/// How a pairing ended.
package enum PairingEnd: Sendable, Equatable {
    /// Both people have confirmed, and the other device has given this.
    case done(PairingOffer)
    /// Neither side offered an invite.
    case nothingOffered
    /// Only one of the people has called both devices the own ones.
    case ownedByOne
    /// The person here ended it.
    case cancelled
    /// The other side ended it.
    case refused(PairingCancellation)
    /// Nobody answered, or nobody confirmed, in time.
    case timedOut
    /// The link to the other device has ended.
    case lost
    /// The software of the other device cannot pair.
    case unsupported
    /// The other device revealed a nonce that does not match the commitment.
    case forged
}

/// Why a person cannot start to pair now.
package enum PairingObstacle: Sendable, Equatable {
    /// Another pairing, with this device, is not finished.
    case busy(hint: UInt64, device: DeviceID?)
    /// The device was tried too often; it may be tried again at this moment.
    case tooManyTries(until: Moment)
}

/// A request of a person about the pairing with the device whose ID has these first eight bytes.
package enum PairingRequest: Sendable, Equatable {
    /// To pair; `offer` is what the other device gets.
    case start(hint: UInt64, offer: PairingOffer)
    case confirm(hint: UInt64)
    case cancel(hint: UInt64)
    /// To send a linked device something without a pairing, if there is a link.
    case share(DeviceID, PairingFrame)
}
