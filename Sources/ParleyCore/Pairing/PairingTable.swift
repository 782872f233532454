/// The pairings of a node: requests of other devices, and the pairing of the person here.
///
/// Anybody may ask. A request costs one entry until a person answers, and its device learns nothing
/// before. The entries and the requests are limited.
package struct PairingTable: Sendable {
    /// The pairings, oldest first, at most one for each device.
    package private(set) var pairings: [Pairing] = []
    /// Pairings in which the nonce of this device was told, for the other side to guess the digits.
    private var tries = PairingTries(perDeviceMax: 3, countMax: 12)
    /// Requests that people were shown.
    private var requests = PairingTries(perDeviceMax: 6, countMax: 24)
    private let own: DeviceID

    /// The most requests that wait for an answer.
    package static let requestsMax = 4

    package init(of device: DeviceID) {
        own = device
    }

    /// The frames, notices and refusal that follow from an input.
    package struct Answer: Sendable, Equatable {
        /// A frame for a link.
        package struct Send: Sendable, Equatable {
            package let link: LinkID
            package let frame: PairingFrame
        }

        package var sends: [Send] = []
        package var notices: [PairingNotice] = []
        /// Why the link that brought the input has to end.
        package var refusal: Refusal?

        package init() {}
    }

    // MARK: Questions

    /// The pairing with a device.
    package subscript(hint: UInt64) -> Pairing? { pairings.first { $0.hint == hint } }

    /// Why a person cannot start to pair with a device now; nil if nothing is in the way.
    package func obstacle(to hint: UInt64, at now: Moment) -> PairingObstacle? {
        if let other = pairings.first(where: { $0.exchange.isWanted && $0.hint != hint }) {
            return .busy(hint: other.hint, device: other.device)
        }
        return tries.allowed(to: hint, at: now).map { .tooManyTries(until: $0) }
    }

    /// Whether a pairing needs a link.
    package func needs(_ link: LinkID) -> Bool { pairings.contains { $0.uses(link) } }

    /// When the next pairing has lasted too long.
    package var deadline: Moment? { pairings.map(\.deadline).min() }

    // MARK: The person here

    /// The person wants to pair with a device, or agrees to its request.
    ///
    /// The other side gets `offer`. Nothing happens if there is an obstacle.
    package mutating func start(
        _ hint: UInt64,
        nonce: Bytes32,
        offer: PairingOffer,
        at now: Moment,
        using crypto: some Cryptography
    ) -> Answer {
        guard obstacle(to: hint, at: now) == nil else { return Answer() }
        let index = index(of: hint) ?? append(hint, device: nil, at: now)
        guard !pairings[index].exchange.isWanted else { return Answer() }
        pairings[index].deadline = now + Pairing.patience
        let frames = pairings[index].exchange.agree(nonce: nonce, offer: offer, using: crypto)
        pairings[index].link = pairings[index].peerLink
        return follow(frames, of: index, at: now)
    }

    /// The person says that both screens show the same digits.
    package mutating func confirm(_ hint: UInt64, at now: Moment) -> Answer {
        guard let index = index(of: hint) else { return Answer() }
        return follow(pairings[index].exchange.confirm(), of: index, at: now)
    }

    /// The person does not want to pair, or the digits differ.
    package mutating func cancel(_ hint: UInt64) -> Answer {
        guard let index = index(of: hint) else { return Answer() }
        return end(index, .cancelled, saying: .declined)
    }

    /// The device with which the person here wants to pair.
    package var wantedHint: UInt64? { pairings.first { $0.exchange.isWanted }?.hint }

    // MARK: Links

    /// The device that the person here waits for, if no link carries the pairing.
    package var hintWithoutLink: UInt64? {
        pairings.first { $0.exchange.isWanted && $0.link == nil }?.hint
    }

    /// A link to a device began; `features` are those of its hello.
    package mutating func linked(
        _ link: LinkID,
        to device: DeviceID,
        features: UInt64,
        at now: Moment
    ) -> Answer {
        guard device.hint == hintWithoutLink, let index = index(of: device.hint) else {
            return Answer()
        }
        let needed = pairings[index].exchange.isOwn ? Hello.pairing | Hello.persons : Hello.pairing
        guard features & needed == needed else { return end(index, .unsupported, saying: nil) }
        pairings[index].device = device
        pairings[index].link = link
        return follow(pairings[index].exchange.commitFrames, of: index, at: now)
    }

    /// A link has ended: a pairing in which nobody has answered waits for another one.
    package mutating func linkClosed(_ link: LinkID) -> Answer {
        var answer = Answer()
        for index in pairings.indices.reversed() where pairings[index].uses(link) {
            if pairings[index].exchange.isPeerCommitted {
                answer.notices.append(pairings.remove(at: index).ended(.lost))
            } else {
                pairings[index].link = nil
            }
        }
        return answer
    }

    /// Ends the pairings that have lasted too long.
    package mutating func meetDeadlines(at now: Moment) -> Answer {
        var answer = Answer()
        for index in pairings.indices.reversed() where pairings[index].deadline <= now {
            let ended = end(index, .timedOut, saying: .timedOut)
            answer.sends += ended.sends
            answer.notices += ended.notices
        }
        return answer
    }

    // MARK: Frames

    /// A frame of another device.
    package mutating func received(
        _ frame: PairingFrame,
        from device: DeviceID,
        on link: LinkID,
        at now: Moment,
        using crypto: some Cryptography
    ) -> Answer {
        if case .commit(let commitment, let offers) = frame {
            return committed(commitment, offers: offers, by: device, on: link, at: now)
        }
        // Frames of a pairing that has ended here may still be on their way.
        guard let index = index(of: device.hint), pairings[index].device == device else {
            return Answer()
        }
        switch frame {
        case .commit, .share, .taken:
            return Answer()
        case .reveal(let nonce):
            do throws(Refusal) {
                try pairings[index].exchange.revealed(nonce, by: device, using: crypto)
            } catch {
                var answer = end(index, .forged, saying: nil)
                answer.refusal = error
                return answer
            }
            return follow([], of: index, at: now)
        case .confirm:
            return follow(pairings[index].exchange.confirmedByPeer(), of: index, at: now)
        case .invite(let text):
            pairings[index].exchange.given(text, of: .invite)
            return follow([], of: index, at: now)
        case .person(let secret):
            pairings[index].exchange.given(secret, of: .own)
            return follow([], of: index, at: now)
        case .cancel(let reason):
            return end(index, .refused(reason), saying: nil)
        }
    }

    /// A device commits itself to a nonce: an answer to the person here, or a request.
    private mutating func committed(
        _ commitment: Bytes32,
        offers: PairingOffer.Kind,
        by device: DeviceID,
        on link: LinkID,
        at now: Moment
    ) -> Answer {
        let known = index(of: device.hint)
        if let known, pairings[known].device ?? device == device,
            !pairings[known].exchange.isPeerCommitted
        {
            pairings[known].device = device
            pairings[known].peerLink = link
            let frames = pairings[known].exchange.committed(commitment, offers: offers)
            return follow(frames, of: known, at: now)
        }
        // The other side has started over.
        var answer = known.map { end($0, .refused(.other), saying: nil) } ?? Answer()
        if let reason = refusal(of: device.hint, at: now) {
            answer.sends.append(Answer.Send(link: link, frame: .cancel(reason)))
            return answer
        }
        requests.tried(device.hint, at: now)
        let index = append(device.hint, device: device, at: now)
        pairings[index].peerLink = link
        let frames = pairings[index].exchange.committed(commitment, offers: offers)
        let asked = follow(frames, of: index, at: now)
        answer.sends += asked.sends
        answer.notices += asked.notices
        return answer
    }

    /// Why a request of a device is not shown to people.
    private func refusal(of hint: UInt64, at now: Moment) -> PairingCancellation? {
        guard tries.allowed(to: hint, at: now) == nil, requests.allowed(to: hint, at: now) == nil
        else { return .tooManyTries }
        return pairings.count { !$0.exchange.isWanted } < Self.requestsMax ? nil : .busy
    }

    // MARK: Inside

    private func index(of hint: UInt64) -> Int? { pairings.firstIndex { $0.hint == hint } }

    private mutating func append(_ hint: UInt64, device: DeviceID?, at now: Moment) -> Int {
        pairings.append(Pairing(hint: hint, device: device, own: own, at: now))
        return pairings.count - 1
    }

    /// Sends frames of a pairing, and tells people what changed.
    private mutating func follow(
        _ frames: [PairingFrame],
        of index: Int,
        at now: Moment
    ) -> Answer {
        var answer = Answer()
        if let link = pairings[index].link {
            answer.sends = frames.map { Answer.Send(link: link, frame: $0) }
        }
        let hint = pairings[index].hint
        if frames.contains(where: { $0.step == .reveal }) { tries.tried(hint, at: now) }
        guard let notice = pairings[index].takeNotice(at: now) else { return answer }
        answer.notices.append(notice)
        if case .ended(let end) = notice.stage {
            pairings.remove(at: index)
            if case .done = end { tries.forget(hint) }
        }
        return answer
    }

    private mutating func end(
        _ index: Int,
        _ end: PairingEnd,
        saying reason: PairingCancellation?
    ) -> Answer {
        let pairing = pairings.remove(at: index)
        var answer = Answer()
        answer.notices.append(pairing.ended(end))
        if let reason, let link = pairing.link ?? pairing.peerLink {
            answer.sends.append(Answer.Send(link: link, frame: .cancel(reason)))
        }
        return answer
    }
}
