import ParleyCore

/// Draws pictures for a run whose disks damage blobs.
///
/// The two nodes that always write send the pictures, in separate sessions. So a picture stays
/// until another picture replaces it.
struct PictureMix {
    let nodes: Int
    let end: Interval
    var random: SeededRandom

    /// Larger than a picture that travels inside a body.
    private static let sizes = Limits.inlineBytes + 1...40_000
    private static let largeSizes = 60_000...200_000
    /// Beyond the sessions of other workloads.
    private static let sessions = 200...203

    mutating func actions() -> [ScheduledAction] {
        (1...Int.random(in: 4...12, using: &random)).map { number in
            var utterance = Utterance(
                session: Int.random(in: Self.sessions, using: &random),
                text: "picture \(number)"
            )
            let isLarge = random.chance(1, in: 8)
            utterance.pictureBytes = Int.random(
                in: isLarge ? Self.largeSizes : Self.sizes,
                using: &random
            )
            let node = Int.random(in: 0..<min(2, nodes), using: &random)
            let time = Int64.random(in: 300...max(301, end.milliseconds), using: &random)
            let action = Action.send(node: node, conversation: 1, [utterance])
            return ScheduledAction(.milliseconds(time), action)
        }
    }
}
