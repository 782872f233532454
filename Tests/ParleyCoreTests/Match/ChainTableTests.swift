import ParleyCore
import ParleyFaults
import Testing

/// What a participant may reveal of the chains that came with the seat, and when.
@Suite struct ChainTableTests {
    /// What the participant adds to the game.
    enum Step: Sendable {
        case seat, seatWithOthers
        /// The links with these numbers of both chains.
        case links(UInt64, UInt64)
        /// Links of somebody else, for one chain of the two.
        case copied(UInt64, isHidden: Bool)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let steps: [Step]
        /// The steps that do not fit.
        var faults: [Int] = []
        var isBroken = false
    }

    private static let rows = [
        Row(testDescription: "one after the other", steps: [.seat, .links(1, 0), .links(2, 1)]),
        Row(testDescription: "some left out", steps: [.seat, .links(4, 2)]),
        Row(testDescription: "earlier ones again", steps: [.seat, .links(4, 2), .links(3, 1)]),
        Row(testDescription: "the seat again", steps: [.seat, .links(1, 0), .seat]),
        Row(testDescription: "links before the seat", steps: [.links(2, 1), .seat, .links(3, 1)]),
        Row(
            testDescription: "another seat",
            steps: [.seat, .seatWithOthers],
            faults: [1],
            isBroken: true
        ),
        Row(
            testDescription: "an open link of another",
            steps: [.seat, .copied(1, isHidden: false), .links(1, 0)],
            faults: [1],
            isBroken: true
        ),
        Row(
            testDescription: "a hidden link of another",
            steps: [.seat, .links(2, 1), .copied(2, isHidden: true)],
            faults: [2],
            isBroken: true
        ),
        // The seat itself is no fault, whatever came before it.
        Row(
            testDescription: "a link of another before the seat",
            steps: [.copied(1, isHidden: false), .seat],
            isBroken: true
        ),
    ]

    private let game = SessionUUID(Bytes16(1, 2))
    private let ann = ParticipantID(Bytes16(3, 4))
    private let crypto = SimulatedCryptography(seed: 1)
    private let dot = Dot(origin: OriginID(Bytes16(5, 6)), sequence: 1)

    private var head: Head {
        Head(
            dot: dot,
            revision: 1,
            context: [],
            tieBreak: Bytes16(0, 0),
            digest: Bytes32(1, 0, 0, 0)
        )
    }

    private func chain(_ open: UInt64, _ hidden: UInt64, of secret: UInt64 = 7) -> Chain {
        ChainSteps(game, of: ann, using: crypto).own(open, hidden, guest: Bytes32(secret, 0, 0, 0))
    }

    private func addition(_ step: Step) -> SideMessage {
        func reveal(_ chain: Chain) -> SideMessage {
            SideMessage(to: game, .draw, content: RollReveal(chain, for: dot).encoded())
        }
        switch step {
        case .seat: return SideMessage(to: game, .seat, content: chain(0, 0).seat(with: .zero))
        case .seatWithOthers:
            return SideMessage(to: game, .seat, content: chain(0, 0, of: 8).seat(with: .zero))
        case .links(let open, let hidden): return reveal(chain(open, hidden))
        case .copied(let number, let isHidden):
            var copied = chain(number, number)
            if isHidden { copied.hidden = chain(number, number, of: 8).hidden }
            if !isHidden { copied.open = chain(number, number, of: 8).open }
            return reveal(copied)
        }
    }

    @Test(arguments: rows) func eachLinkFitsTheOneBefore(row: Row) {
        var table = ChainTable()
        let faults = row.steps.indices.filter {
            !table.take(addition(row.steps[$0]), head, by: ann, using: crypto)
        }
        #expect(faults == row.faults)
        #expect(table.chains(of: game).broken.contains(ann) == row.isBroken)
        #expect(table.chains(of: game).known[ann] != nil)
    }

    /// A link before it is called for would tell the dice, or what comes next.
    @Test(
        arguments: [
            (MatchRoll.Kind.hidden, [0, 1], 2, 1, false), (.hidden, [0, 1], 3, 1, true),
            (.hidden, [0, 1], 2, 2, true), (.shown, [0, 1], 2, 2, false),
            (.shown, [0, 1], 2, 3, true), (.open, [0, 1], 2, 1, false),
            (.open, [0, 1], 3, 0, true),
            (.open, [1, 2], 1, 0, false), (.open, [1, 2], 2, 0, true),
        ] as [(MatchRoll.Kind, [Int], UInt64, UInt64, Bool)]
    )
    func nothingIsRevealedEarly(
        kind: MatchRoll.Kind,
        giving: [Int],
        open: UInt64,
        hidden: UInt64,
        isEarly: Bool
    ) {
        var state = MatchState(phase: .running, size: 2...3)
        state.seats = [ann, ParticipantID(Bytes16(3, 5)), ParticipantID(Bytes16(3, 6))]
        state.chance.roll = MatchRoll(kind, number: 2, seats: [0, 1, 2], giving: giving)
        let move = MatchMove(head, by: ann, state, hash: .zero, storedAt: nil)
        let match = MatchGame(
            legal: move,
            isChecked: true,
            before: nil,
            offerer: ann,
            violations: []
        )
        let reveal = chain(open, hidden)
        #expect(match.isEarly(RollReveal(reveal, for: dot), by: ann) == isEarly)
        let unknown = Dot(origin: dot.origin, sequence: 2)
        #expect(!match.isEarly(RollReveal(reveal, for: unknown), by: ann))
    }
}
