import ParleyCore
import ParleyFaults
import Testing

/// The news of a merged envelope for people, and the moment when they get it.
@Suite struct MergeReportTests {
    private static let ada = SimulatedAuthor(writer: 2)
    private static let other = ada.dot(9)

    @Test(arguments: [
        Delivered({ _ in }, atOnce: [], onDisk: []),
        Delivered({ $0.isEquivocation = true }, atOnce: ["two under 1"], onDisk: []),
        Delivered({ $0.outOfTurn = ada.participant }, atOnce: [], onDisk: ["out of turn 1"]),
        Delivered(
            { $0.dropped = DroppedHead(dot: other, blobs: []) },
            atOnce: ["dropped 9"],
            onDisk: []
        ),
        Delivered({ $0.isShown = true }, atOnce: [], onDisk: ["shown 1"]),
        Delivered({ $0.conflict = [other] }, atOnce: [], onDisk: ["conflict [9]"]),
        Delivered(
            {
                $0.isEquivocation = true
                $0.outOfTurn = ada.participant
                $0.dropped = DroppedHead(dot: other, blobs: [])
                $0.isShown = true
                $0.conflict = [other]
            },
            atOnce: ["two under 1", "dropped 9"],
            onDisk: ["out of turn 1", "shown 1", "conflict [9]"]
        ),
    ])
    func faultsAreDeliveredAtOnceAndChangesOnceTheyAreOnDisk(_ delivered: Delivered) throws {
        var report = MergeReport(.changed)
        delivered.change(&report)
        let sample = SampleConversation(writers: [Self.ada])
        let envelope = try Self.ada.writes("s")
        var tickets = Commits()
        var step = Step()
        report.deliver(
            of: Arrival(envelope: envelope, head: sample.head(envelope), hops: 1, source: nil),
            conversation: 6,
            tickets: &tickets,
            into: &step
        )
        #expect(step.effects.deliveries.map(words) == delivered.atOnce)
        _ = tickets.issue([.conversationLeft(1)], bytes: 0)
        let done = tickets.done(Ticket(1))
        #expect(done.deliveries.map(words) == delivered.onDisk)
    }

    /// A delivery about the session "s" of the conversation 6, in words.
    private func words(_ delivery: Delivery) -> String {
        let tag = Self.ada.tag("s")
        return switch delivery {
        case .equivocation(6, tag, let dot): "two under \(dot.sequence)"
        case .outOfTurn(6, tag, let dot, Self.ada.participant): "out of turn \(dot.sequence)"
        case .headDropped(6, tag, let dot): "dropped \(dot.sequence)"
        case .shown(let shown) where shown.conversation == 6 && shown.tag == tag:
            "shown \(shown.dot.sequence)"
        case .conflict(let heads) where heads.conversation == 6 && heads.tag == tag:
            "conflict \(heads.heads.map(\.sequence))"
        default: "another"
        }
    }

    /// A report, and what is delivered of it.
    struct Delivered: Sendable {
        let change: @Sendable (inout MergeReport) -> Void
        let atOnce: [String]
        let onDisk: [String]

        init(
            _ change: @escaping @Sendable (inout MergeReport) -> Void,
            atOnce: [String],
            onDisk: [String]
        ) {
            self.change = change
            self.atOnce = atOnce
            self.onDisk = onDisk
        }
    }
}
