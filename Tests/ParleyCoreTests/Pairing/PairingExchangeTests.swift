import ParleyCore
import ParleyFaults
import Testing

/// Commit, reveal, confirm, invite: what one side of a pairing answers to each step.
@Suite struct PairingExchangeTests {
    private static let crypto = SimulatedCryptography(seed: 1)
    private static let own = DeviceID(seed: 1)
    private static let peer = DeviceID(seed: 2)
    private static let ownNonce = Bytes32(1, 1, 1, 1)
    private static let peerNonce = Bytes32(2, 2, 2, 2)
    private static let text = Slice([7, 7])
    private static let secret = Slice([9, 9])
    private static let commitment = PairingDigits.commitment(
        of: peer,
        to: peerNonce,
        using: crypto
    )
    private static let digits = PairingDigits((own, ownNonce), (peer, peerNonce), using: crypto)

    /// An event at one side.
    enum Input: Sendable {
        case agree(offers: PairingOffer.Kind)
        case committed(offers: PairingOffer.Kind)
        case revealed(Bytes32)
        case confirm
        case confirmedByPeer
        case invited
        case owned
    }

    /// Inputs, the steps that this side sends for each, and the state at the end.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let inputs: [Input]
        let sent: [[PairingFrame.StepNumber]]
        let state: PairingExchange.State

        init(
            _ name: String,
            _ inputs: [Input],
            _ sent: [[PairingFrame.StepNumber]],
            _ state: PairingExchange.State
        ) {
            testDescription = name
            self.inputs = inputs
            self.sent = sent
            self.state = state
        }
    }

    private static let begin: [Input] = [
        .agree(offers: .invite), .committed(offers: .nothing), .revealed(peerNonce),
    ]
    private static let owned: [Input] = [
        .agree(offers: .own), .committed(offers: .own), .revealed(peerNonce),
    ]
    private static let begun: [[PairingFrame.StepNumber]] = [[.commit], [.reveal], []]

    static let rows = [
        Row("asks", [.agree(offers: .invite)], [[.commit]], .waiting),
        Row("is asked", [.committed(offers: .invite)], [[]], .asked(offers: .invite)),
        Row(
            "reveals only when both are committed",
            [.agree(offers: .invite), .committed(offers: .nothing)],
            [[.commit], [.reveal]],
            .waiting
        ),
        Row(
            "agrees to a request",
            [.committed(offers: .invite), .agree(offers: .nothing)],
            [[], [.commit, .reveal]],
            .waiting
        ),
        Row(
            "nobody offers",
            [.committed(offers: .nothing), .agree(offers: .nothing)],
            [[], [.commit]],
            .nothingOffered
        ),
        Row(
            "a nonce before the commitment is nothing",
            [.agree(offers: .invite), .revealed(peerNonce), .committed(offers: .nothing)],
            [[.commit], [], [.reveal]],
            .waiting
        ),
        Row("compares", begin, begun, .comparing(digits, isConfirmed: false)),
        Row(
            "a second commitment and a second nonce change nothing",
            begin + [.committed(offers: .invite), .revealed(Bytes32(9, 9, 9, 9))],
            begun + [[], []],
            .comparing(digits, isConfirmed: false)
        ),
        Row(
            "the invite waits for the other person",
            begin + [.confirm],
            begun + [[.confirm]],
            .comparing(digits, isConfirmed: true)
        ),
        Row(
            "the invite waits for the person here",
            begin + [.confirmedByPeer],
            begun + [[]],
            .comparing(digits, isConfirmed: false)
        ),
        Row(
            "both confirm, the one here last",
            begin + [.confirmedByPeer, .confirm],
            begun + [[], [.confirm, .invite]],
            .done(.nothing)
        ),
        Row(
            "both confirm, the one here first, and twice",
            begin + [.confirm, .confirm, .confirmedByPeer, .confirmedByPeer],
            begun + [[.confirm], [], [.invite], []],
            .done(.nothing)
        ),
        Row(
            "confirms nothing without digits",
            [.confirm, .confirmedByPeer, .agree(offers: .invite), .confirm],
            [[], [], [.commit], []],
            .waiting
        ),
        Row(
            "takes an invite that was offered, after both confirmed",
            [.committed(offers: .invite), .agree(offers: .nothing), .revealed(peerNonce), .confirm]
                + [.confirmedByPeer, .invited],
            [[], [.commit, .reveal], [], [.confirm], [], []],
            .done(.invite(text))
        ),
        Row(
            "takes no invite before the person here confirmed",
            [.committed(offers: .invite), .agree(offers: .nothing), .revealed(peerNonce)]
                + [.confirmedByPeer, .invited, .confirm],
            [[], [.commit, .reveal], [], [], [], [.confirm]],
            .comparing(digits, isConfirmed: true)
        ),
        Row(
            "takes no invite that was not offered",
            begin + [.confirm, .confirmedByPeer, .invited],
            begun + [[.confirm], [.invite], []],
            .done(.nothing)
        ),
        Row(
            "gives an own device the person, and takes the person of it",
            owned + [.confirm, .confirmedByPeer, .invited, .owned, .owned],
            begun + [[.confirm], [.person], [], [], []],
            .done(.own(secret))
        ),
        Row(
            "takes nothing of an own device before both confirmed",
            owned + [.confirmedByPeer, .invited, .owned, .confirm],
            begun + [[], [], [], [.confirm, .person]],
            .comparing(digits, isConfirmed: true)
        ),
        Row(
            "takes no person of another one's device",
            [.committed(offers: .invite), .agree(offers: .nothing), .revealed(peerNonce), .confirm]
                + [.confirmedByPeer, .owned],
            [[], [.commit, .reveal], [], [.confirm], [], []],
            .comparing(digits, isConfirmed: true)
        ),
        Row(
            "reveals nothing if only one says own",
            [.agree(offers: .own), .committed(offers: .invite)],
            [[.commit], []],
            .ownedByOne
        ),
        Row(
            "reveals nothing if only the other one says own",
            [.committed(offers: .own), .agree(offers: .nothing)],
            [[], [.commit]],
            .ownedByOne
        ),
    ]

    @Test(arguments: rows) func answers(_ row: Row) throws {
        var exchange = PairingExchange(of: Self.own)
        var sent: [[PairingFrame.StepNumber]] = []
        for input in row.inputs { sent.append(try Self.take(input, &exchange).map(\.step)) }
        #expect(sent == row.sent)
        #expect(exchange.state == row.state)
    }

    @Test func refusesAnotherNonceThanTheOneItIsBoundTo() throws {
        var exchange = PairingExchange(of: Self.own)
        _ = try Self.take(.agree(offers: .invite), &exchange)
        _ = try Self.take(.committed(offers: .nothing), &exchange)
        #expect(throws: ParleyCore.Refusal.self) {
            try exchange.revealed(Self.ownNonce, by: Self.peer, using: Self.crypto)
        }
        // The commitment names its device: one that is sent back is of no use.
        #expect(throws: ParleyCore.Refusal.self) {
            try exchange.revealed(Self.peerNonce, by: Self.own, using: Self.crypto)
        }
        #expect(exchange.state == .waiting)
    }

    @Test func bothSidesShowTheSameDigits() {
        let one = PairingDigits(
            (Self.own, Self.ownNonce),
            (Self.peer, Self.peerNonce),
            using: Self.crypto
        )
        let other = PairingDigits(
            (Self.peer, Self.peerNonce),
            (Self.own, Self.ownNonce),
            using: Self.crypto
        )
        #expect(one == other)
        let swapped = PairingDigits(
            (Self.own, Self.peerNonce),
            (Self.peer, Self.ownNonce),
            using: Self.crypto
        )
        #expect(one != swapped)
        #expect(one.description.count == 6)
        #expect(one.value < 1_000_000)
    }

    private static func take(
        _ input: Input,
        _ exchange: inout PairingExchange
    ) throws -> [PairingFrame] {
        switch input {
        case .agree(let offers):
            let offer: PairingOffer =
                switch offers {
                case .nothing: .nothing
                case .invite: .invite(text)
                case .own: .own(secret)
                }
            return exchange.agree(nonce: ownNonce, offer: offer, using: crypto)
        case .committed(let offers): return exchange.committed(commitment, offers: offers)
        case .revealed(let nonce):
            try exchange.revealed(nonce, by: peer, using: crypto)
            return []
        case .confirm: return exchange.confirm()
        case .confirmedByPeer: return exchange.confirmedByPeer()
        case .invited:
            exchange.given(text, of: .invite)
            return []
        case .owned:
            exchange.given(secret, of: .own)
            return []
        }
    }
}
