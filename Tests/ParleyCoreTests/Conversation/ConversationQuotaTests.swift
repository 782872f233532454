import ParleyCore
import ParleyFaults
import Testing

/// The limits of a conversation and of a device there on this node, at their edges.
@Suite struct ConversationQuotaTests {
    /// A writer in an epoch, with one message after the other.
    private static func writer(_ number: UInt64, epoch: UInt64 = 1) -> SimulatedAuthor {
        var writer = SimulatedAuthor(writer: number)
        writer.epoch = Epoch(epoch)
        return writer
    }

    private static let (ada, again, ben) = (writer(2), writer(2, epoch: 2), writer(3))
    private static let cyd = writer(4)
    private static let guest = ada.guest(9)

    /// A message that is merged into a conversation, and whether it is taken.
    struct Step: Sendable {
        let writer: SimulatedAuthor
        let session: String
        var sequence: UInt64
        var revision: UInt64 = 1
        var context: [Dot] = []
        var length = 1
        var blobs: [BlobReference] = []
        var isTombstone = false
        let isTaken: Bool

        /// Begins a session, or adds a head to it.
        static func begins(
            _ session: String,
            by writer: SimulatedAuthor,
            _ sequence: UInt64 = 1,
            length: Int = 1,
            blobs: [BlobReference] = [],
            isTaken: Bool = true
        ) -> Step {
            Step(
                writer: writer,
                session: session,
                sequence: sequence,
                length: length,
                blobs: blobs,
                isTaken: isTaken
            )
        }

        /// Replaces the head of `of` in a session.
        static func replaces(
            _ session: String,
            of dot: Dot,
            by writer: SimulatedAuthor,
            _ sequence: UInt64,
            length: Int = 1,
            isTombstone: Bool = false,
            isTaken: Bool = true
        ) -> Step {
            Step(
                writer: writer,
                session: session,
                sequence: sequence,
                revision: 9 + sequence,
                context: dot.origin == writer.origin ? [] : [dot],
                length: length,
                isTombstone: isTombstone,
                isTaken: isTaken
            )
        }
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let quota: Quota
        let steps: [Step]
        let kept: KeptAmount?

        init(
            _ name: String,
            conversation: KeptAmount = .much,
            device: KeptAmount = .much,
            _ steps: [Step],
            kept: KeptAmount? = nil
        ) {
            self.name = name
            quota = Quota(conversation: conversation, device: device)
            self.steps = steps
            self.kept = kept
        }

        var testDescription: String { name }
    }

    static let cases = [
        Case(
            "a device has its share in all its epochs",
            device: KeptAmount(heads: 2, bytes: 1 << 40, origins: 9),
            [
                .begins("s", by: ada), .begins("t", by: again),
                .begins("u", by: again, 2, isTaken: false),
                .begins("u", by: ada, 2, isTaken: false),
                .begins("u", by: ben),
            ]
        ),
        Case(
            "guests share the heads of their host",
            device: KeptAmount(heads: 2, bytes: 1 << 40, origins: 9),
            [
                .begins("s", by: guest), .begins("t", by: ada),
                .begins("u", by: ada.guest(10, at: 2), isTaken: false),
                .begins("u", by: again, isTaken: false),
                .begins("u", by: ben),
            ]
        ),
        Case(
            "guests share the origins of their host",
            device: KeptAmount(heads: 9, bytes: 1 << 40, origins: 2),
            [
                .begins("s", by: guest), .begins("t", by: ada),
                .begins("u", by: ada.guest(10, at: 2), isTaken: false),
                .begins("u", by: guest, 2), .begins("v", by: ben.guest(9)),
            ]
        ),
        Case(
            "the conversation is exactly full, and what is here goes on",
            conversation: KeptAmount(heads: 2, bytes: 1 << 40, origins: 9),
            [
                .begins("s", by: ada), .begins("t", by: ben),
                .begins("u", by: cyd, isTaken: false),
                .begins("s", by: ben, 2, isTaken: false),
                .replaces("s", of: ada.dot(1), by: cyd, 2),
                .replaces("t", of: ben.dot(1), by: ben, 3),
            ]
        ),
        Case(
            "a device goes on in sessions of others beyond its share",
            device: KeptAmount(heads: 1, bytes: 1 << 40, origins: 9),
            [
                .begins("s", by: ada), .begins("t", by: ben),
                .replaces("s", of: ada.dot(1), by: ben, 2),
                .begins("u", by: ben, 3, isTaken: false), .begins("u", by: ada, 2),
            ]
        ),
        Case(
            "a tombstone ends a session and stays a head",
            conversation: KeptAmount(heads: 1, bytes: 1 << 40, origins: 9),
            [
                .begins("s", by: ada),
                .replaces("s", of: ada.dot(1), by: ada, 2, isTombstone: true),
                .begins("t", by: ada, 3, isTaken: false),
            ]
        ),
        Case(
            "heads that are replaced make capacity",
            conversation: KeptAmount(heads: 2, bytes: 1 << 40, origins: 9),
            [
                .begins("s", by: ada), .begins("s", by: ben),
                .begins("t", by: cyd, isTaken: false),
                .replaces("s", of: ben.dot(1), by: ada, 2), .begins("t", by: cyd),
            ]
        ),
        Case(
            "a session may have its bytes in a conversation that is full",
            conversation: KeptAmount(heads: 9, bytes: 20_000, origins: 9),
            [
                .begins("s", by: ada, length: 500), .begins("t", by: ben, length: 8_900),
                .begins("u", by: cyd, length: 800, isTaken: false),
                .replaces("s", of: ada.dot(1), by: ada, 2, length: 7_500),
                .replaces("s", of: ada.dot(2), by: ada, 3, length: 8_500, isTaken: false),
                .replaces("t", of: ben.dot(1), by: cyd, 2, length: 8_800),
                .replaces("t", of: cyd.dot(2), by: cyd, 3, isTombstone: true),
                .begins("u", by: cyd, 4, length: 800),
            ]
        ),
        Case(
            "blobs count",
            device: KeptAmount(heads: 9, bytes: 1_000, origins: 9),
            [
                .begins("s", by: ada, blobs: [BlobReference(300)]),
                .begins("t", by: ada, 2, blobs: [BlobReference(300)], isTaken: false),
            ]
        ),
        Case(
            "origins of a device",
            device: KeptAmount(heads: 9, bytes: 1 << 40, origins: 1),
            [
                .begins("s", by: ada), .begins("t", by: again, isTaken: false),
                .replaces("s", of: ada.dot(1), by: again, 2, isTaken: false),
                .begins("t", by: ben), .begins("t", by: ada, 2),
            ]
        ),
        Case(
            "origins of a conversation stay",
            conversation: KeptAmount(heads: 9, bytes: 1 << 40, origins: 2),
            [
                .begins("s", by: ada), .replaces("s", of: ada.dot(1), by: ben, 1),
                .begins("t", by: cyd, isTaken: false), .begins("t", by: ada, 2),
            ]
        ),
    ]

    private func sample(_ limits: Limits) -> SampleConversation {
        SampleConversation(
            writers: [
                Self.ada, Self.again, Self.ben, Self.cyd, Self.guest, Self.ada.guest(10, at: 2),
                Self.ben.guest(9),
            ],
            isStored: false,
            limits: limits
        )
    }

    private func envelope(_ step: Step) throws -> Envelope {
        try step.writer.writes(
            step.session,
            step.sequence,
            revision: step.revision,
            context: step.context,
            blobs: step.blobs,
            isTombstone: step.isTombstone,
            text: String(repeating: "x", count: step.length)
        )
    }

    /// After a restart the rows that are on disk count the same.
    @Test(arguments: cases)
    func whatIsTaken(test: Case) throws {
        var limits = Limits()
        limits.quota = test.quota
        var sample = sample(limits)
        var origins: [OriginID: OriginRecord] = [:]
        for (number, step) in test.steps.enumerated() {
            let report = sample.merge(try envelope(step))
            #expect((report.result == .changed) == step.isTaken, "step \(number)")
            #expect((report.result == .held) == !step.isTaken, "step \(number)")
            if step.isTaken { origins[step.writer.origin] = step.writer.record }
        }
        let rows = sample.conversation.sessions.indices.map {
            sample.conversation.write(Int32($0), with: sample.ticket)
        }
        var recovered = RecoveredConversation(record: sample.conversation.record)
        recovered.origins = origins
        var again = Conversation(
            recovered: recovered,
            device: SampleConversation.device,
            epoch: SampleConversation.epoch,
            limits: limits,
            using: sample.crypto
        )
        for row in rows { _ = again.recover(row, into: &sample.cache, using: sample.crypto) }
        #expect(again.kept == sample.conversation.kept)
        for writer in [Self.ada, Self.ben, Self.cyd] {
            #expect(again.kept(of: writer.device) == sample.conversation.kept(of: writer.device))
        }
    }

    /// A head that is here takes nothing more, however full it is.
    @Test func whatIsKnownIsNotHeld() throws {
        var limits = Limits()
        limits.quota.conversation.heads = 1
        var sample = sample(limits)
        let first = try Self.ada.writes("s")
        sample.take([first])
        #expect(sample.merge(first, from: LinkID(2)).result == .known)
        sample.take([try Self.ada.writes("s", 2, revision: 2)])
        #expect(sample.merge(first).result == .obsolete)
    }

    /// The first message that is left out is told, and the next one once there was capacity.
    @Test func fullnessIsToldOnce() throws {
        var limits = Limits()
        limits.quota.device.heads = 1
        var sample = sample(limits)
        sample.take([try Self.ada.writes("s")])
        let ada = Shortage.device(Self.ada.device)
        #expect(sample.merge(try Self.ada.writes("t", 2)).shortage == ada)
        #expect(sample.merge(try Self.ada.writes("u", 3)).shortage == nil)
        #expect(sample.conversation.shortage == ada)
    }

    /// Names of open conversations cost nothing either, so that all of them share a limit, and one
    /// that is left makes capacity for the others.
    @Test func openConversationsShareALimit() throws {
        var limits = Limits()
        limits.openConversations.heads = 3
        limits.openQuota.conversation.heads = 2
        let one = SimulatedAuthor(writer: 2, in: 1)
        let two = SimulatedAuthor(writer: 2, in: 2)
        let three = SimulatedAuthor(writer: 2, in: 3)
        var sample = SampleTable(
            [1, 2, 3],
            open: [1, 2],
            writers: [one, two, three],
            limits: limits
        )
        for sequence in UInt64(1)...3 {
            sample.keep(try one.writes("s\(sequence)", sequence), in: 1)
            sample.keep(try two.writes("s\(sequence)", sequence), in: 2)
            sample.keep(try three.writes("s\(sequence)", sequence), in: 3)
        }
        #expect(sample.table.map(\.kept.heads) == [2, 1, 3])
        #expect(sample.table.map(\.shortage) == [.conversation, .openConversations, nil])
        #expect(sample.table.takeResumptions() == [])
        _ = sample.leave(1)
        #expect(sample.table.takeResumptions() == [2])
        #expect(sample.table.takeResumptions() == [])
        sample.keep(try two.writes("s2", 2), in: 2)
        #expect(sample.table.map(\.kept.heads) == [2, 3])
    }

    /// Cursors of devices that cost nothing do not fill the disk.
    @Test func cursorsOfSoManyDevicesAreKept() {
        var cursors: [DeviceID: FeedCursor] = [:]
        for number in 0..<UInt64(Limits.cursors) {
            cursors[DeviceID(Bytes32(number, 0, 0, 1))] = FeedCursor(incarnation: 1, position: 1)
        }
        let sample = SampleConversation(cursors: cursors)
        #expect(sample.conversation.keepsCursor(of: DeviceID(Bytes32(7, 0, 0, 1))))
        #expect(!sample.conversation.keepsCursor(of: DeviceID(Bytes32(7, 0, 0, 2))))
    }
}

extension KeptAmount {
    /// More than a test has.
    fileprivate static let much = KeptAmount(heads: 1_000, bytes: .max / 2, origins: 1_000)
}
