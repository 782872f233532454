import ParleyCore
import ParleyFaults
import Testing

/// The keys of before in generation records, by which those who join later read what is kept.
@Suite struct EarlierKeysTests {
    /// The key of the parent that Ada seals: none, another one, or the right one.
    enum Sealed: CaseIterable {
        case nothing, another, right
    }

    /// Regression: a member that sealed a wrong key kept all who joined later from reading, also
    /// after others had thrown it out.
    @Test(arguments: Sealed.allCases) func theNextChangeBringsBackWhatOneHid(_ sealed: Sealed)
        throws
    {
        var room = ThrownOut()
        let entry = try room.change()
        guard case .generation(let record, let boxes) = entry else { return }
        let wrong = try Self.sealed(Bytes32(6, 6, 6, 6), under: room.seeds[1], by: room.ada)
        let hiding = room.ada.restated(
            record,
            earlier: sealed == .nothing ? .empty : wrong,
            parentSeed: room.seeds[0]
        )
        let isRight = sealed == .right
        room.bring([isRight ? entry : .generation(hiding, boxes)])
        #expect(room.notices.map(\.hidesEarlier) == [!isRight])
        #expect(room.state?.standing == .member)

        room.puppet.handle(
            .rotated(RotationRequest(request: RequestID(9), conversation: 1, without: []))
        )
        let told = room.told.last { if case .generation = $0 { true } else { false } }
        guard case .generation(let made, _)? = told else {
            Issue.record("no keys were made")
            return
        }
        #expect((made.statement.earlier.count == Limits.earlierBytes) == isRight)
        room.join(by: try #require(room.state?.record.capability))
        room.bring([room.birth] + [isRight ? record : hiding, made].map { .generation($0, nil) })
        #expect(Self.firstKey(in: room) == room.table.capability(.writer).readKey)
    }

    /// Regression: a record beside the line, by somebody who was out, exchanged the first key for
    /// all who had joined later; and one with their public W took them for thrown out.
    @Test(arguments: [false, true]) func whoIsOutMovesNobody(repeatsKeys: Bool) throws {
        var room = ThrownOut()
        let entry = try room.change()
        let capability = room.generations.capability(using: room.ada.crypto)
        room.join(by: try #require(capability))
        room.bring([room.birth, entry])
        for number: UInt64 in 0..<8 {
            var generations = Generations(
                conversation: room.table.id,
                root: room.table.capability(.writer),
                creator: room.ada.crypto.devicePublicKey,
                using: room.xan.crypto
            )
            let seed = repeatsKeys ? room.seeds[1] : Bytes32(number, 7, 7, 7)
            let terms = RotationTerms(
                parent: generations.first,
                path: room.xan.path,
                stays: [room.known(room.ben), room.known(room.cid)],
                seed: seed,
                ephemeral: Bytes32(number, 8, 8, 8)
            )
            let made = try generations.rotate(by: terms, using: room.xan.crypto)
            let record = room.xan.restated(
                made.record,
                earlier: try Self.sealed(Bytes32(6, 6, 6, 6), under: seed, by: room.xan),
                parentSeed: room.seeds[0]
            )
            room.bring([.generation(record, made.boxes)])
        }
        #expect(room.state?.generations.records.count == 9)
        #expect(room.state?.standing == .member)
        #expect(Self.firstKey(in: room) == room.table.capability(.writer).readKey)
    }

    private static func firstKey(in room: ThrownOut) -> Bytes32? {
        room.state.flatMap { state in
            ReadKeys(of: state.generations, using: room.puppet.node)
                .keys[state.generations.first]
        }
    }

    /// A K, sealed as a record has it, under the keys that follow from S.
    private static func sealed(
        _ key: Bytes32,
        under seed: Bytes32,
        by author: GenerationForge
    ) throws -> Slice {
        let crypto = author.crypto
        let readKey = Capability(seed, as: .writer, publicWriteKey: .zero, using: crypto).readKey
        return Slice(
            crypto.seal(
                key.bytes.span.bytes,
                key: crypto.deriveKey(
                    from: try #require(readKey),
                    info: Array("parley earlier".utf8).span.bytes
                ),
                nonce: SealNonce(high: 0, low: 0),
                authenticating: RawSpan()
            )
        )
    }
}
