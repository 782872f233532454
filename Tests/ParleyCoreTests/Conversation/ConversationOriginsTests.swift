import ParleyCore
import ParleyFaults
import Testing

/// Origins that a conversation accepts as writers, and the envelopes that it takes as theirs.
@Suite struct ConversationOriginsTests {
    private let ada = SimulatedAuthor(writer: 2)
    private let ben = SimulatedAuthor(writer: 3)

    // MARK: Introductions

    @Test func anOriginIsUnusedUntilAnEnvelopeOfItIsHere() throws {
        var sample = SampleConversation()
        let first = try #require(
            try sample.conversation.introduced(ada.record, using: sample.crypto)
        )
        #expect(first.id == ada.origin)
        #expect(first.state.device == ada.device)
        #expect(first.state.author.participant == ada.participant)
        sample.conversation.add(first)
        #expect(sample.conversation.isUnused(first.id))
        let second = try sample.conversation.introduced(ada.record, using: sample.crypto)
        #expect(second?.id == ada.origin)
        _ = sample.merge(try ada.writes("s"))
        #expect(!sample.conversation.isUnused(first.id))
        let third = try sample.conversation.introduced(ada.record, using: sample.crypto)
        #expect(third?.id == nil)
    }

    @Test func aForeignCertificateIsRefused() {
        let sample = SampleConversation()
        let forged = OriginRecord(
            deviceKey: ada.crypto.devicePublicKey,
            epoch: ada.epoch,
            certificate: SimulatedConversation(2).certificate(of: ada.device)
        )
        #expect(throws: ParleyCore.Refusal.badCertificate) {
            try sample.conversation.introduced(forged, using: sample.crypto)
        }
    }

    @Test func ownOriginsAreThoseOfThisDeviceInAnyEpoch() {
        var sample = SampleConversation(writers: [ada])
        let own = SampleConversation.own
        #expect(sample.conversation.isOwn(own.origin))
        #expect(!sample.conversation.isOwn(ada.origin))
        #expect(sample.conversation.isUnused(own.origin))
        sample.conversation.forgetOrigin(own.origin)
        #expect(sample.conversation.isOwn(own.origin))
        #expect(sample.conversation.author(of: own.origin) != nil)
        sample.conversation.renew(epoch: Epoch(78), using: sample.crypto)
        #expect(sample.conversation.keys.ownOrigin != own.origin)
        #expect(sample.conversation.isOwn(own.origin))
        #expect(sample.conversation.isOwn(sample.conversation.keys.ownOrigin))
    }

    // MARK: Proofs

    @Test func aSignatureOfTheAuthorProvesItsEnvelope() throws {
        var sample = SampleConversation(writers: [ada])
        let envelope = try ada.writes("s")
        try sample.conversation.prove(
            sample.head(envelope),
            by: envelope.proof,
            using: sample.crypto
        )
    }

    @Test func anEnvelopeOfAnUnknownOriginIsRefused() throws {
        var sample = SampleConversation(writers: [ada])
        let envelope = try ben.writes("s")
        let head = sample.head(envelope)
        #expect(throws: ParleyCore.Refusal.uncertified) {
            try sample.conversation.prove(head, by: envelope.proof, using: sample.crypto)
        }
    }

    /// Regression: at the limit of origins, an honest peer was called a forger, and its link ended
    /// for an envelope that has to wait.
    @Test func anEnvelopeOfOneOriginTooManyIsHeld() throws {
        var limits = Limits()
        limits.quota.conversation.origins = 1
        var sample = SampleConversation(writers: [ada], limits: limits)
        sample.introduce(ben)
        let envelope = try ben.writes("s")
        try sample.conversation.prove(
            sample.head(envelope),
            by: envelope.proof,
            using: sample.crypto
        )
        #expect(sample.merge(envelope).result == .held)
        #expect(sample.conversation.isUnused(ben.origin))
    }

    /// Batches are remembered for some origins, as devices and epochs cost nothing.
    @Test func checkedBatchesOfFewOriginsAreRemembered() throws {
        var sample = SampleConversation()
        let count = OriginTable.provedMax + 3
        for number in 0..<count {
            var writer = SimulatedAuthor(writer: 2)
            writer.epoch = Epoch(UInt64(number))
            sample.introduce(writer)
            let envelopes = [try writer.writes("s"), try writer.writes("t", 2)]
            let tree = BatchTree(
                digests: envelopes.map { sample.head($0).digest },
                using: writer.crypto
            )
            let signature = writer.crypto.sign(
                BatchTree.signedBytes(root: tree.root).span.bytes
            )
            let batched = try envelopes[0].with(tree.proof(at: 0, signature: signature))
            try sample.conversation.prove(
                sample.head(batched),
                by: batched.proof,
                using: sample.crypto
            )
        }
        #expect(
            sample.conversation.origins.values.count { !$0.checkedBatches.isEmpty }
                == OriginTable.provedMax
        )
    }

    @Test func aSignatureOfAnotherEnvelopeOrAuthorIsRefused() throws {
        var sample = SampleConversation(writers: [ada, ben])
        let envelope = try ada.writes("s")
        let wrongs = [
            try ada.writes("s", 2).proof,
            .single(ben.crypto.sign(sample.head(envelope).digest.bytes.span.bytes)),
        ]
        for proof in wrongs {
            let forged = try envelope.with(proof)
            let head = sample.head(forged)
            #expect(throws: ParleyCore.Refusal.badProof) {
                try sample.conversation.prove(head, by: forged.proof, using: sample.crypto)
            }
        }
    }

    @Test func aBatchProvesItsEnvelopesAndNoOther() throws {
        var sample = SampleConversation(writers: [ada])
        let envelopes = [try ada.writes("s"), try ada.writes("t", 2), try ada.writes("u", 3)]
        let tree = BatchTree(
            digests: envelopes.map { sample.head($0).digest },
            using: ada.crypto
        )
        let signed = BatchTree.signedBytes(root: tree.root)
        let signature = ada.crypto.sign(signed.span.bytes)
        for (index, envelope) in envelopes.enumerated() {
            let batched = try envelope.with(tree.proof(at: index, signature: signature))
            try sample.conversation.prove(
                sample.head(batched),
                by: batched.proof,
                using: sample.crypto
            )
            let other = try envelope.with(tree.proof(at: index ^ 1, signature: signature))
            let head = sample.head(other)
            #expect(throws: ParleyCore.Refusal.badProof) {
                try sample.conversation.prove(head, by: other.proof, using: sample.crypto)
            }
        }
    }
}

extension Envelope {
    /// The same message with another proof.
    func with(_ proof: EnvelopeProof) throws -> Envelope {
        let bytes = Envelope.encode(headerBytes: headerBytes, body: body, proof: proof)
        return try Envelope(decoding: Slice(bytes))
    }
}
