import ParleyCore

/// The author requests whose answers or deliveries somebody waits for.
struct RequestTable {
    typealias Answered = CheckedContinuation<AuthorAnswer?, Never>
    typealias Knocked = CheckedContinuation<KnockNotice.End?, Never>
    typealias Rotated = CheckedContinuation<Result<Int, RotationRefusal>?, Never>
    typealias Delivered = CheckedContinuation<Int, Never>

    private struct DeliveryCount {
        /// Whether linked nodes are counted, instead of devices of readers and writers.
        let isOfLinked: Bool
        var nodes = 0
        var wanted = 0
        var waiting: Delivered?
        /// The message to name in events, if events report its delivery.
        var reported: Reported?
    }

    /// A message whose delivery is reported by events.
    struct Reported {
        let conversation: String
        let session: SessionID
        let id: MessageID
    }

    private var lastID: UInt64 = 0
    private var answers: [RequestID: Answered] = [:]
    private var knocks: [KnockRequests.Door: Knocked] = [:]
    private var rotations: [RequestID: Rotated] = [:]
    private var deliveries: [RequestID: DeliveryCount] = [:]
    /// The requests whose deliveries are reported by events, the oldest first.
    private var reportedRequests: [RequestID] = []

    mutating func next() -> RequestID {
        lastID += 1
        return RequestID(lastID)
    }

    /// Resumes `continuation` with the answer, or with nil if the node stops or the disk fails
    /// first.
    mutating func await(_ request: RequestID, _ continuation: Answered) {
        answers[request] = continuation
    }

    /// Resumes `continuation` with the end of a knock, or with nil if the node stops first.
    mutating func await(_ door: KnockRequests.Door, _ continuation: Knocked) {
        knocks[door] = continuation
    }

    func isAwaiting(_ door: KnockRequests.Door) -> Bool { knocks[door] != nil }

    mutating func knocked(_ notice: KnockNotice) {
        knocks.removeValue(forKey: notice.door)?.resume(returning: notice.end)
    }

    /// Resumes `continuation` with the end of a change of keys, or with nil if the node stops or
    /// the disk fails first.
    mutating func await(keys request: RequestID, _ continuation: Rotated) {
        rotations[request] = continuation
    }

    mutating func rotated(_ request: RequestID, _ result: Result<Int, RotationRefusal>) {
        rotations.removeValue(forKey: request)?.resume(returning: result)
    }

    mutating func answered(_ request: RequestID, _ answer: AuthorAnswer) {
        answers.removeValue(forKey: request)?.resume(returning: answer)
    }

    /// Starts to count who has stored the message of `request`.
    mutating func follow(_ request: RequestID, wait: SendWait) {
        let isOfLinked = if case .linked = wait { true } else { false }
        deliveries[request] = DeliveryCount(isOfLinked: isOfLinked)
    }

    /// At the limit, stops reporting the delivery of the oldest message by events.
    ///
    /// - Returns: the request of the message, unless its sender still waits for the delivery.
    mutating func endOldestReport() -> RequestID? {
        guard reportedRequests.count >= Self.reportedMax else { return nil }
        let oldest = reportedRequests.removeFirst()
        deliveries[oldest]?.reported = nil
        guard deliveries[oldest]?.waiting == nil else { return nil }
        forget(oldest)
        return oldest
    }

    /// Reports the delivery of the message by events from now on; call `endOldestReport` before.
    ///
    /// - Returns: the event that the message is stored here, and by how many nodes before.
    mutating func report(
        _ request: RequestID,
        of message: AuthoredMessage,
        in conversation: String
    ) -> NodeEvent? {
        reportedRequests.append(request)
        deliveries[request]?.reported = Reported(
            conversation: conversation,
            session: SessionID(message.session),
            id: MessageID(message.dot)
        )
        let count = deliveries[request]
        return event(request, nodes: count?.isOfLinked == false ? count?.nodes ?? 0 : 0)
    }

    func isReported(_ request: RequestID) -> Bool { deliveries[request]?.reported != nil }

    /// The event for a new number of nodes, nil if the delivery of the message is not reported.
    func event(_ request: RequestID, nodes: Int) -> NodeEvent? {
        deliveries[request]?.reported.map {
            .delivered(conversation: $0.conversation, session: $0.session, $0.id, nodes: nodes)
        }
    }

    /// Messages whose delivery is reported at a time.
    static let reportedMax = 1_024

    /// More linked nodes, or else more devices, have stored the message.
    mutating func delivered(_ request: RequestID, nodes: Int, areLinked: Bool = false) {
        guard var delivery = deliveries[request], delivery.isOfLinked == areLinked else { return }
        delivery.nodes = nodes
        if nodes >= delivery.wanted, let waiting = delivery.waiting {
            delivery.waiting = nil
            waiting.resume(returning: nodes)
        }
        deliveries[request] = delivery
    }

    /// Resumes `continuation` with the number of nodes once it is at least `wanted`, or on
    /// `timeOver`.
    mutating func awaitNodes(
        _ request: RequestID,
        wanted: Int,
        _ continuation: Delivered
    ) {
        guard var delivery = deliveries[request], delivery.nodes < wanted else {
            continuation.resume(returning: deliveries[request]?.nodes ?? 0)
            return
        }
        delivery.wanted = wanted
        delivery.waiting = continuation
        deliveries[request] = delivery
    }

    mutating func timeOver(_ request: RequestID) {
        guard let delivery = deliveries[request], let waiting = delivery.waiting else { return }
        deliveries[request]?.waiting = nil
        waiting.resume(returning: delivery.nodes)
    }

    mutating func forget(_ request: RequestID) {
        deliveries[request] = nil
    }

    /// The disk fails, so all requests that wait for the disk are answered with nil.
    mutating func failStored() {
        let waiting = (answers, rotations)
        (answers, rotations) = ([:], [:])
        for continuation in waiting.0.values { continuation.resume(returning: nil) }
        for continuation in waiting.1.values { continuation.resume(returning: nil) }
    }

    /// The node stops, so all waiting requests are answered.
    mutating func failAll() {
        failStored()
        for request in deliveries.keys { timeOver(request) }
        for continuation in knocks.values { continuation.resume(returning: nil) }
        knocks = [:]
    }
}
