import ParleyFaults
import Testing

import ParleyCore

/// What a message is to the nodes, as bytes.
@Suite struct MessageRoleTests {
    private static let session = SessionUUID(Bytes16(1, 2))
    private static let dot = Dot(origin: OriginID(Bytes16(3, 4)), sequence: 5)
    private static let seats = [ParticipantID(Bytes16(6, 7)), ParticipantID(Bytes16(8, 9))]

    private static let roles: [MessageRole?] = [
        nil,
        .match(MatchState(phase: .offered, size: 2...2)),
        .match(
            MatchState(
                phase: .running,
                size: 2...6,
                seats: seats,
                turn: [0, 1],
                clock: 60,
                claim: MatchClaim(.skips, after: dot),
                previous: session,
                undone: dot,
                overruled: [dot, Dot(origin: dot.origin, sequence: 4)],
                mayUndo: true,
                settled: [dot, Dot(origin: OriginID(Bytes16(3, 5)), sequence: 1)]
            )
        ),
        .match(
            MatchState(
                phase: .over,
                size: 1...16,
                seats: seats,
                outcomes: [MatchOutcome(.won, score: -3), MatchOutcome(.placed, place: 2)]
            )
        ),
        .match(
            MatchState(
                phase: .running,
                size: 2...2,
                seats: seats,
                turn: [1],
                parts: [MatchPart(to: 1, by: 0, key: .zero, sealed: Slice([1]))],
                chance: MatchChance(
                    roll: MatchRoll(.shown, number: 3, seats: [0, 1], answers: [.zero, .zero]),
                    deck: MatchDeck(number: 1, count: 6, seats: [1])
                )
            )
        ),
        .side(SideMessage(to: session, .reaction, slot: 15, content: Slice([1, 2, 3]))),
    ]

    @Test(arguments: roles) func rolesAreReadAsWritten(role: MessageRole?) throws {
        var body = MessageBody(session: Self.session, place: 1, sentAt: 0, role: role)
        body.text = role == nil ? "long" : nil
        body.reply = role == nil ? Self.session : nil
        #expect(try MessageBody(decoding: Slice(body.encoded())) == body)
    }

    /// What a state of a game must not say, and what is said of it.
    private static let refused: [(MatchState, CodecError)] = {
        let next = Dot(origin: dot.origin, sequence: 6)
        let later = Dot(origin: OriginID(Bytes16(3, 5)), sequence: 1)
        let zeros = [Bytes32](repeating: .zero, count: 3)
        let many = Array(repeating: dot, count: Limits.overruledMessages + 1)
        let changes: [((inout MatchState) -> Void, CodecError)] = [
            ({ $0.size = 0...2 }, .outOfRange), ({ $0.size = 2...17 }, .outOfRange),
            ({ $0.size = 1...1 }, .tooLong), ({ $0.turn = [0, 0] }, .notAscending),
            ({ $0.turn = [1, 0] }, .notAscending), ({ $0.turn = [2] }, .outOfRange),
            ({ $0.clock = 0 }, .outOfRange), ({ $0.settled = [dot, dot] }, .notAscending),
            ({ $0.settled = [dot, next] }, .notAscending),
            ({ $0.settled = [later, dot] }, .notAscending), ({ $0.overruled = many }, .tooLong),
            ({ $0.outcomes = [MatchOutcome(.placed, place: 17)] }, .outOfRange),
            // Seats that the game does not have.
            ({ ($0.seats, $0.turn) = ([], [0]) }, .outOfRange),
            ({ $0.parts = [MatchPart(to: 2, by: 0, key: .zero, sealed: .empty)] }, .outOfRange),
            ({ $0.parts = [MatchPart(to: 0, by: 2, key: .zero, sealed: .empty)] }, .outOfRange),
            ({ $0.chance.roll = MatchRoll(.open, number: 2, seats: [0, 2]) }, .outOfRange),
            (
                { $0.chance.roll = MatchRoll(.open, number: 2, seats: [0], answers: zeros) },
                .outOfRange
            ),
            ({ $0.chance.deck = MatchDeck(number: 1, count: 6, seats: [0, 2]) }, .outOfRange),
        ]
        return changes.map { change, error in
            var state = MatchState(phase: .running, size: 2...6, seats: seats, turn: [0])
            change(&state)
            return (state, error)
        }
    }()

    @Test(arguments: refused) func falseStatesAreRefused(state: MatchState, error: CodecError) {
        let bytes = bytes(.match(state))
        #expect(throws: error) { try MessageBody(decoding: Slice(bytes)) }
    }

    @Test func offeredFilesAreReadAsWritten() throws {
        let hash = Bytes32(3, 4, 5, 6)
        var body = MessageBody(session: Self.session, place: 1, sentAt: 0)
        let names = ["film.mkv", String(repeating: "a", count: Limits.fileNameBytes)]
        for (name, size) in zip(names, [1, Limits.fileBytes]) {
            body.file = FileDescription(name: name, type: "", hash: hash, size: size, port: 27_275)
            #expect(body.problem == nil)
            #expect(try MessageBody(decoding: Slice(body.encoded())) == body)
        }
    }

    /// A node neither sends nor reads an offer beyond the limits.
    @Test(arguments: [
        FileDescription(name: "", type: "", hash: .zero, size: 1),
        FileDescription(
            name: String(repeating: "a", count: Limits.fileNameBytes + 1),
            type: "",
            hash: .zero,
            size: 1
        ),
        FileDescription(
            name: "film",
            type: String(repeating: "a", count: Limits.mediaTypeBytes + 1),
            hash: .zero,
            size: 1
        ),
        FileDescription(name: "film", type: "", hash: .zero, size: 0),
        FileDescription(name: "film", type: "", hash: .zero, size: Limits.fileBytes + 1),
    ])
    func offersBeyondTheLimitsAreNone(file: FileDescription) {
        var body = MessageBody(session: Self.session, place: 1, sentAt: 0)
        body.file = file
        #expect(body.problem != nil)
        #expect(throws: CodecError.self) { try MessageBody(decoding: Slice(body.encoded())) }
    }

    @Test func aMoveIsNoAddition() {
        let (plain, match, side) = (bytes(nil), bytes(Self.roles[1]), bytes(Self.roles[5]))
        // Both roles stand at the end, and the first byte counts the keys.
        let both = [match[0] + 1] + match.dropFirst() + side.dropFirst(plain.count)
        #expect(throws: CodecError.outOfRange) { try MessageBody(decoding: Slice(both)) }
    }

    private func bytes(_ role: MessageRole?) -> [UInt8] {
        MessageBody(session: Self.session, place: 1, sentAt: 0, role: role).encoded()
    }

    /// An addition goes into a session of its own, in which only its author writes.
    @Test func additionsHaveSessionsOfTheirOwn() {
        let crypto = SimulatedCryptography(seed: 1)
        let sides = [
            SideMessage(to: Self.session, .seat, content: Slice([])),
            SideMessage(to: Self.session, .quit, content: Slice([])),
            SideMessage(to: Self.session, .seat, slot: 1, content: Slice([])),
            SideMessage(to: SessionUUID(Bytes16(1, 3)), .seat, content: Slice([])),
        ]
        for author in Self.seats {
            let sessions = sides.map { $0.ownSession(of: author, using: crypto).value.words }
            #expect(Set(sessions.map(\.1)).count == sides.count)
            #expect(sessions.allSatisfy { $0.0 == author.value.words.0 && $0.1 >> 62 == 0b10 })
        }
    }
}
