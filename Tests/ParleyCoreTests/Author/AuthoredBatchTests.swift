import ParleyCore
import ParleyFaults
import Testing

/// Messages that share a signature.
@Suite struct AuthoredBatchTests {
    private let own = SampleConversation.own

    /// Two conversations with sequences.
    private func sample() -> SampleTable {
        var sample = SampleTable([1, 2])
        for index in sample.table.indices {
            _ = sample.table[index].reserveSequences()
            sample.table[index].reservationCommitted()
        }
        return sample
    }

    private func request(_ session: String) -> AuthorRequest {
        AuthorRequest(
            request: RequestID(1),
            conversation: 1,
            body: MessageBody(
                session: SessionUUID(session: session),
                place: 0,
                sentAt: 0,
                app: "",
                url: "text",
                layout: .template(TemplateLayout())
            ),
            next: [],
            picture: nil,
            replacing: nil
        )
    }

    private func draft(
        _ session: String,
        in index: Int,
        of sample: inout SampleTable
    ) throws -> AuthoredDraft {
        var author = Author()
        var random = FixedRandom.lowest
        let answer = author.prepare(
            request(session),
            in: &sample.table[index],
            at: index,
            after: Commits(),
            deviceName: "",
            at: .start,
            using: own.crypto,
            random: &random
        )
        guard case .accepted(let draft) = answer else { throw Refused() }
        return draft
    }

    private struct Refused: Error {}

    @Test(arguments: [0, 1, 2, 5])
    func eachMessageIsProvenByTheSignature(count: Int) throws {
        var sample = sample()
        var batch = AuthoredBatch()
        for number in 0..<count {
            batch.add(try draft("s\(number)", in: number % 2, of: &sample))
        }
        let drafts = batch.drafts
        let signed = batch.sign(for: sample.table, using: own.crypto)
        #expect(signed.map(\.draft.header) == drafts.map(\.header))
        for (draft, arrival) in signed {
            let envelope = try Envelope(decoding: arrival.place.bytes)
            let id = sample.table[draft.conversation].record.id
            #expect(envelope.header == draft.header)
            #expect(envelope.body == draft.sealedBody)
            #expect(arrival.head == envelope.head(in: id, using: own.crypto))
            #expect(arrival.hops == 0)
            #expect(arrival.source == nil)
            try sample.table[draft.conversation]
                .prove(arrival.head, by: envelope.proof, using: own.crypto)
        }
        // The batch is empty then.
        #expect(batch.drafts.isEmpty)
        #expect(batch.takes(request("s0")))
    }

    @Test func aSessionIsInABatchOnce() throws {
        var sample = sample()
        var batch = AuthoredBatch()
        batch.add(try draft("s", in: 0, of: &sample))
        #expect(!batch.takes(request("s")))
        #expect(batch.takes(request("t")))
    }

    @Test func aBatchIsFullWithAThousandTwentyFourMessages() throws {
        var sample = sample()
        var batch = AuthoredBatch()
        let draft = try draft("s", in: 0, of: &sample)
        for _ in 0..<1_023 { batch.add(draft) }
        #expect(batch.takes(request("t")))
        batch.add(draft)
        #expect(!batch.takes(request("t")))
    }
}
