package import ParleyCore

/// Somebody between two nodes whose people pair with each other.
///
/// The interceptor has a link to each node under a separate key, which the person there takes for
/// the other person's. Different digits on the two screens give the interceptor away. The best plan
/// ends the exchange with one node first, and then looks for a nonce that gives the other node the
/// same digits. For that, the other node must reveal a nonce before the interceptor commits.
package struct PairingInterceptor {
    /// A node, with the link of the interceptor to it.
    private struct Victim {
        var machine: NodeMachine
        var parser = FrameParser()
        /// The steps of pairing that arrived.
        var arrived: [PairingFrame] = []
        var digits: PairingDigits?
        let device: DeviceID
        /// The interceptor's device on the link to this node.
        let mask: DeviceID

        init(seed: UInt64, mask: SimulatedCryptography) {
            let crypto = SimulatedCryptography(seed: seed)
            device = DeviceID(publicKey: crypto.devicePublicKey, using: crypto)
            self.mask = DeviceID(publicKey: mask.devicePublicKey, using: mask)
            machine = NodeMachine(
                configuration: NodeConfiguration(deviceName: "victim", software: "simulated"),
                crypto: crypto,
                random: SeededRandom(seed: seed),
                recovery: Recovery()
            )
            _ = machine.start(at: .start)
            let opened = OpenedLink(
                id: LinkID(1),
                dial: nil,
                peerKey: mask.devicePublicKey,
                exporter: .zero,
                address: "interceptor"
            )
            take(.linkOpened(opened))
            say(
                .hello(
                    Hello(
                        wireVersions: NodeConfiguration.spoken,
                        software: "interceptor",
                        deviceName: "friend",
                        processNonce: seed,
                        features: Hello.pairing
                    )
                )
            )
            take(.pairing(.start(hint: self.mask.hint, offer: .invite(Slice([1])))))
        }

        /// The nonce that it has revealed.
        var nonce: Bytes32? {
            for case .reveal(let nonce) in arrived { return nonce }
            return nil
        }

        /// Whether it has sent the invite.
        var isRobbed: Bool { arrived.contains { $0.step == .invite } }

        mutating func say(_ frame: Frame) {
            var bytes: [UInt8] = []
            frame.append(to: &bytes)
            take(.received(LinkID(1), Slice(bytes)))
        }

        mutating func commit(to nonce: Bytes32) {
            let commitment = PairingDigits.commitment(of: mask, to: nonce, using: machine.crypto)
            say(.pairing(.commit(commitment, .nothing)))
        }

        mutating func take(_ input: NodeInput) {
            let effects = machine.handle(input, at: .start)
            for send in effects.sends { parser.append(Slice(send.bytes)) }
            while let raw = try? parser.next(frameBytesMax: Limits.frameBytes) {
                if case .pairing(let frame)? = try? Frame(decoding: raw) { arrived.append(frame) }
            }
            for case .pairing(let notice) in effects.deliveries {
                if case .comparing(let digits, _) = notice.stage { self.digits = digits }
            }
        }
    }

    /// The end of a try.
    package struct Outcome: Sendable, Equatable {
        /// The digits on the two screens.
        package let digits: [PairingDigits]
        /// Whether a node sent its invite although only one person confirmed.
        package let isRobbedEarly: Bool

        /// Whether the people notice that the digits differ.
        package var isCaught: Bool { digits.count == 2 && digits[0] != digits[1] }
    }

    /// The most nonces to try in the search for equal digits.
    package static let nonces: UInt64 = 20_000_000

    /// A try against two nodes, which follow from `seed`.
    ///
    /// If `revealsEarly`, the second node has a defect: the nonce is revealed after the request of
    /// the person, even if the other side has made no commitment.
    package static func attempt(seed: UInt64, revealsEarly: Bool = false) -> Outcome {
        let masks = [seed &* 4 &+ 2, seed &* 4 &+ 3].map { SimulatedCryptography(seed: $0) }
        var first = Victim(seed: seed &* 4, mask: masks[0])
        var second = Victim(seed: seed &* 4 &+ 1, mask: masks[1])
        let nonce = Bytes32(seed, 1, 2, 3)
        first.commit(to: nonce)
        first.say(.pairing(.reveal(nonce)))
        // A copy of the node is asked for the nonce that the node still keeps secret.
        var copy = second
        if revealsEarly { copy.commit(to: .zero) }
        let known = revealsEarly ? copy.nonce : second.nonce
        let found = known.flatMap { nonceFor(first.digits, second, $0) } ?? nonce
        second.commit(to: found)
        second.say(.pairing(.reveal(found)))
        first.take(.pairing(.confirm(hint: first.mask.hint)))
        second.say(.pairing(.confirm))
        return Outcome(
            digits: [first.digits, second.digits].compactMap { $0 },
            isRobbedEarly: first.isRobbed || second.isRobbed
        )
    }

    /// A nonce of the interceptor with which a node of nonce `known` shows the wanted digits.
    private static func nonceFor(
        _ wanted: PairingDigits?,
        _ victim: Victim,
        _ known: Bytes32
    ) -> Bytes32? {
        let crypto = victim.machine.crypto
        for number in 0..<nonces {
            let nonce = Bytes32(number, 0, 0, 0)
            let digits = PairingDigits((victim.device, known), (victim.mask, nonce), using: crypto)
            if digits == wanted { return nonce }
        }
        return nil
    }
}
