/// Counts the nodes that have stored a message with its blobs, for requests that follow the
/// delivery.
///
/// A peer confirms messages, and not their blobs. So a peer that has confirmed a message with blobs
/// is asked for a chunk beyond the end of each, and answers once the whole blob is on disk.
package struct Audience: Sendable {
    private struct Wait {
        let request: RequestID
        let conversation: UInt32
        /// The feed position of the message on this node.
        let position: UInt64
        let blobs: [BlobReference]
        var devices: [DeviceID] = []
    }

    /// A device that has a message on disk, and perhaps not all of its blobs.
    private struct Question {
        let request: RequestID
        let conversation: UInt32
        let device: DeviceID
        /// The blobs that the device has not confirmed.
        var missing: [BlobReference]
        /// The moment at which the device is asked next, and the pause after that.
        var due: Moment
        var pause = Audience.pauses.lowerBound
    }

    private var waits: [Wait] = []
    /// The oldest first.
    private var questions: [Question] = []

    /// The number of messages followed at a time; a new message replaces the oldest.
    package static let followedMax = 4_096
    /// The devices that are asked at a time; one more takes the place of the oldest, which is not
    /// asked again before its next link.
    private static let questionsMax = 1_024
    /// The pauses between the questions to a device, each twice as long as the one before.
    private static let pauses = Interval.milliseconds(50)...Interval.seconds(64)

    package init() {}

    /// A request follows the delivery of the message at a feed position, which lists `blobs`.
    package mutating func follow(
        _ request: RequestID,
        conversation: UInt32,
        position: UInt64,
        blobs: [BlobReference] = []
    ) {
        if waits.count == Self.followedMax { forget(waits[0].request) }
        waits.append(
            Wait(request: request, conversation: conversation, position: position, blobs: blobs)
        )
    }

    /// `device` has our feed of `conversation` on disk up to `position`.
    package mutating func stored(
        _ conversation: UInt32,
        upTo position: UInt64,
        by device: DeviceID,
        at now: Moment
    ) -> [Delivery] {
        var deliveries: [Delivery] = []
        for index in waits.indices {
            guard waits[index].conversation == conversation, waits[index].position <= position,
                !waits[index].devices.contains(device)
            else { continue }
            if waits[index].blobs.isEmpty {
                deliveries.append(counted(device, by: index))
            } else {
                ask(device, about: waits[index], at: now)
            }
        }
        return deliveries
    }

    private mutating func counted(_ device: DeviceID, by index: Int) -> Delivery {
        waits[index].devices.append(device)
        return .linked(waits[index].request, nodes: waits[index].devices.count)
    }

    /// Nobody follows the delivery of the request any more.
    package mutating func forget(_ request: RequestID) {
        waits.removeAll { $0.request == request }
        questions.removeAll { $0.request == request }
    }

    // MARK: Blobs

    private mutating func ask(_ device: DeviceID, about wait: Wait, at now: Moment) {
        guard !questions.contains(where: { $0.request == wait.request && $0.device == device })
        else { return }
        if questions.count == Self.questionsMax { questions.removeFirst() }
        questions.append(
            Question(
                request: wait.request,
                conversation: wait.conversation,
                device: device,
                missing: wait.blobs,
                due: now + Self.pauses.lowerBound
            )
        )
    }

    /// The moment at which `asks` has something to do.
    package var deadline: Moment? { questions.map(\.due).min() }

    /// The chunks by which devices are asked for blobs now.
    ///
    /// `link` gives the live link to a device of a conversation. Who has no link at all is asked
    /// after the next `stored`, and nobody about a blob that no head lists any more.
    package mutating func asks(
        at now: Moment,
        isLinked: (DeviceID) -> Bool,
        isListed: (BlobID, UInt32) -> Bool,
        link: (DeviceID, UInt32) -> LinkID?
    ) -> [BlobExchange.Ask] {
        guard let deadline, deadline <= now else { return [] }
        questions.removeAll { question in
            question.due <= now
                && !(isLinked(question.device)
                    && question.missing.allSatisfy { isListed($0.id, question.conversation) })
        }
        var asks: [BlobExchange.Ask] = []
        for index in questions.indices where questions[index].due <= now {
            let question = questions[index]
            questions[index].due = now + question.pause
            questions[index].pause = min(question.pause * 2, Self.pauses.upperBound)
            guard let link = link(question.device, question.conversation) else { continue }
            asks += question.missing.map { blob in
                // The longest blobs have every index that can be asked for.
                let chunk = min(blob.chunkCount, Limits.chunksPerBlob - 1)
                return BlobExchange.Ask(
                    link: link,
                    conversation: question.conversation,
                    blob: blob.id,
                    chunks: [UInt64(chunk)]
                )
            }
        }
        return asks
    }

    /// `device` answers for a chunk of a blob other than the first: it has the whole blob on disk.
    package mutating func has(_ blob: BlobID, _ device: DeviceID) -> [Delivery] {
        var deliveries: [Delivery] = []
        for index in questions.indices where questions[index].device == device {
            questions[index].missing.removeAll { $0.id == blob }
            let question = questions[index]
            guard question.missing.isEmpty,
                let wait = waits.firstIndex(where: { $0.request == question.request })
            else { continue }
            deliveries.append(counted(device, by: wait))
        }
        questions.removeAll(where: \.missing.isEmpty)
        return deliveries
    }
}
