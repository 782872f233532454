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
        let crypto = room.ada.crypto
        let readKey = Capability(
            room.seeds[1],
            as: .writer,
            publicWriteKey: record.statement.publicWriteKey,
            using: crypto
        ).readKey
        let sealKey = crypto.deriveKey(
            from: try #require(readKey),
            info: Array("parley earlier".utf8).span.bytes
        )
        let wrong = crypto.seal(
            Bytes32(6, 6, 6, 6).bytes.span.bytes,
            key: sealKey,
            nonce: SealNonce(high: 0, low: 0),
            authenticating: RawSpan()
        )
        let hiding = Self.restated(
            record,
            earlier: sealed == .nothing ? .empty : Slice(wrong),
            by: room.ada,
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
        let later = try #require(room.state?.record.capability)
        var generations = Generations(
            conversation: room.table.id,
            root: later,
            creator: nil,
            using: crypto
        )
        _ = generations.add(
            Birth(
                publicWriteKey: room.table.capability(.writer).publicWriteKey,
                creator: crypto.devicePublicKey
            ),
            using: crypto
        )
        for one in [isRight ? record : hiding, made] {
            _ = try generations.add(one, nil, using: crypto)
        }
        _ = generations.settle(using: crypto)
        let birth = GenerationID(birthOf: room.table.id)
        #expect(
            generations.allReadKeys(using: crypto)[birth]
                == room.table.capability(.writer).readKey
        )
    }

    /// A record with another `earlier`, signed anew.
    private static func restated(
        _ record: GenerationRecord,
        earlier: Slice,
        by author: GenerationForge,
        parentSeed: Bytes32
    ) -> GenerationRecord {
        let old = record.statement
        let statement = GenerationRecord.Statement(
            conversation: old.conversation,
            parent: old.parent,
            number: old.number,
            publicWriteKey: old.publicWriteKey,
            author: old.author,
            path: old.path,
            stays: old.stays,
            earlier: earlier,
            check: old.check,
            boxes: old.boxes
        )
        let signed = GenerationRecord.signedBytes(statement.id(using: author.crypto))
        return GenerationRecord(
            statement: statement,
            writeSignature: author.crypto.sign(
                signed.span.bytes,
                bySeed: Capability.writeSeed(parentSeed, using: author.crypto)
            ),
            deviceSignature: author.crypto.sign(signed.span.bytes)
        )
    }
}
