import ParleyCore
import ParleyKeys

/// A sample message with everything but its proof.
struct EnvelopeDraft {
    let name: String
    let author: Int
    let header: EnvelopeHeader
    let headerBytes: Slice
    let body: MessageBody
    let plaintext: [UInt8]
    let nonce: SealNonce
    let associatedData: [UInt8]
    let sealed: Slice
    let digest: Bytes32

    init(_ message: SampleMessage, _ world: World) {
        let crypto = world.crypto(message.author)
        name = message.name
        author = message.author
        header = message.header
        headerBytes = Slice(message.header.encoded())
        body = message.body
        plaintext = message.body.encoded()
        nonce = message.nonce
        associatedData = Envelope.associatedData(
            conversation: world.conversation,
            headerBytes: headerBytes
        )
        let content = message.body.encoded()
        let authenticated = associatedData
        sealed = Slice(
            crypto.seal(
                content.span.bytes,
                key: world.derived("parley body", message.header.dot.origin.bytes),
                nonce: message.nonce,
                authenticating: authenticated.span.bytes
            )
        )
        digest = Envelope.digest(
            headerBytes: headerBytes,
            body: sealed,
            in: world.conversation,
            using: crypto
        )
    }
}

/// Drafts of one author that share a signature.
struct BatchedDrafts {
    private let drafts: [EnvelopeDraft]
    private let tree: BatchTree
    private let signature: Signature
    private let levels: [[Bytes32]]

    init(_ drafts: [EnvelopeDraft], _ world: World) {
        let crypto = world.crypto(drafts.first?.author ?? 0)
        self.drafts = drafts
        tree = BatchTree(digests: drafts.map(\.digest), using: crypto)
        let signed = BatchTree.signedBytes(root: tree.root)
        signature = crypto.sign(signed.span.bytes)
        var level = drafts.map(\.digest)
        while level.count & (level.count - 1) != 0 { level.append(.zero) }
        var levels = [level]
        while level.count > 1 {
            level = stride(from: 0, to: level.count, by: 2).map {
                crypto.sha256([1] + level[$0].bytes + level[$0 + 1].bytes)
            }
            levels.append(level)
        }
        self.levels = levels
    }

    func envelopes(_ world: World) -> [EnvelopeVectors.Envelope] {
        drafts.enumerated().map { index, draft in
            EnvelopeVectors.Envelope(
                draft,
                tree.proof(at: index, signature: signature),
                world
            )
        }
    }

    func vector(first: Int) -> EnvelopeVectors.Batch {
        EnvelopeVectors.Batch(
            envelopes: drafts.indices.map { first + $0 },
            levels: levels.map { $0.map(\.hex) },
            signed: Hexadecimal.text(BatchTree.signedBytes(root: tree.root)),
            signature: Hexadecimal.text(signature.bytes)
        )
    }
}

extension EnvelopeVectors.Envelope {
    init(_ draft: EnvelopeDraft, _ proof: EnvelopeProof, _ world: World) {
        name = draft.name
        author = draft.author
        headerItems = Item(draft.header)
        header = Hexadecimal.text(draft.headerBytes.bytes)
        bodyItems = Item(draft.body)
        body = Hexadecimal.text(draft.plaintext)
        nonce = Hexadecimal.text(draft.nonce.bytes)
        associatedData = Hexadecimal.text(draft.associatedData)
        sealed = Hexadecimal.text(draft.sealed.bytes)
        digest = draft.digest.hex
        tieBreak = draft.header.tieBreak.hex
        proofItems = Item(proof)
        envelope = Hexadecimal.text(
            ParleyCore.Envelope.encode(
                headerBytes: draft.headerBytes,
                body: draft.sealed,
                proof: proof
            )
        )
    }
}

extension Dot {
    /// `16 origin · u64 sequence`.
    var packed: [UInt8] {
        var bytes = origin.bytes
        bytes.appendBigEndian(sequence)
        return bytes
    }
}
