import ParleyCore

/// Once all nodes agree and nobody writes, nodes send only heartbeats, audits and cards.
package struct QuietChecker: Checker {
    package static let promise = Promise("an idle mesh is silent")
    package static let watches: WorldEvent.Kinds = [
        .ending, .links, .faults, .membership, .authored, .sent,
    ]

    /// Whether a peer has a picture on disk.
    private struct Question: Hashable {
        let node: Int
        let peer: Int
        let blob: BlobID
    }

    private let ledger: Ledger
    /// The moment since which nothing has happened of which nodes would have to hear.
    private var quietSince: Moment? { didSet { lateQuestions = [] } }
    /// The questions since then, after the time of grace.
    private var lateQuestions: Set<Question> = []
    /// All questions so far.
    private var questions: Set<Question> = []
    private var areAllPicturesHere = false

    package init(_ ledger: Ledger) { self.ledger = ledger }

    /// The time after convergence, by the clock of a node, in which it may still confirm positions
    /// and announce envelopes.
    private static let grace = Interval.seconds(4)
    /// The same for receipts, which gather on their way: up to 10 s at each of six nodes.
    private static let receiptGrace = Interval.seconds(60)
    private static let blobs: [FrameType] = [.blobWant, .blobChunk]
    private static let heartbeats: [FrameType] = [
        .ping, .pong, .audit, .hello, .goodbye, .conversations, .spare, .signal,
    ]

    package mutating func observe(_ event: WorldEvent, in world: World) {
        switch event {
        case .converged:
            quietSince = world.now
            areAllPicturesHere = world.agreement.picturesLacking.isEmpty
        case .input(_, .linkOpened), .input(_, .linkClosed):
            // The two sides synchronize again.
            if quietSince != nil { quietSince = world.now }
        case .fault, .joined, .left, .input(_, .authored): quietSince = nil
        case .sent(let node, let peer, _, let bytes):
            guard let since = quietSince, ledger.damaged.isEmpty else { return }
            guard !world.nodes[node].isByzantine, !world.nodes[peer].isByzantine else { return }
            for frame in SentFrames(bytes) where isNews(frame) {
                // Of two envelopes under a dot, nodes ask for the lost one again and again, at
                // growing intervals; the answers are no news either.
                guard !isOfByzantineSession(frame) else {
                    quietSince = world.now
                    return
                }
                let clock = world.nodes[node].clock
                let quiet = clock.moment(at: world.now) - clock.moment(at: since)
                let isReceipt = frame.type == FrameType.receipts.rawValue
                let isLate = quiet >= (isReceipt ? Self.receiptGrace : Self.grace)
                let isExpected = isQuestion(frame, from: node, to: peer, isLate: isLate, world)
                guard isLate, !isExpected else { continue }
                world.fail(
                    Self.promise,
                    by: [node, peer],
                    "\(world.nodes[node].name) sends \(world.nodes[peer].name) a frame of type "
                        + "\(frame.type), and nothing has happened"
                )
                return
            }
        default: break
        }
    }

    private func isNews(_ frame: RawFrame) -> Bool {
        // A frame of a later version is ignored.
        guard let type = FrameType(rawValue: frame.type) else { return false }
        // A picture that nobody has, or for which a Byzantine writer gave a wrong size, is asked
        // for again and again, at growing intervals.
        if Self.blobs.contains(type) { return areAllPicturesHere && !ledger.hasLost }
        return !Self.heartbeats.contains(type) && !hasOnlyCards(frame)
    }

    /// Whether an author asks a peer whether a picture has arrived, after the time of grace for the
    /// first time, or gets the answer.
    ///
    /// The pauses between questions grow, so that the last one may come late.
    private mutating func isQuestion(
        _ frame: RawFrame,
        from node: Int,
        to peer: Int,
        isLate: Bool,
        _ world: World
    ) -> Bool {
        switch try? Frame(decoding: frame) {
        case .blobWant(let want) where world.nodes[node].disk.isWhole(want.blob):
            let question = Question(node: node, peer: peer, blob: want.blob)
            questions.insert(question)
            return !isLate || lateQuestions.insert(question).inserted
        case .blobChunk(let chunk) where chunk.bytes.isEmpty && chunk.index > 0:
            return questions.contains(Question(node: peer, peer: node, blob: chunk.blob))
        default: return false
        }
    }

    private func hasOnlyCards(_ frame: RawFrame) -> Bool {
        guard frame.type == FrameType.members.rawValue,
            case .members(let members)? = try? Frame(decoding: frame)
        else { return false }
        return members.sum == nil && members.records.allSatisfy { $0.isCard }
    }

    private func isOfByzantineSession(_ frame: RawFrame) -> Bool {
        guard case .want(let list)? = try? Frame(decoding: frame) else { return false }
        return list.entries.allSatisfy { ledger.byzantineSessions.contains($0.tag) }
    }
}
