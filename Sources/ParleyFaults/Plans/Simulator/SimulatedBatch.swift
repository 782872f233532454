import ParleyCore

/// A running batch in the simulator.
struct SimulatedBatch {
    let batch: PlanBatch
    /// The process in which the batch began; the batch ends with it.
    let process: Int
    let start: Interval
    var sent = 0
    /// The requests without an answer, by the number of the message.
    var open: [(request: RequestID, index: Int)] = []
    var isCut = false

    /// The number of messages that the control API takes at a time.
    private static let window = 256

    init(_ batch: PlanBatch, process: Int, start: Interval) {
        self.batch = batch
        self.process = process
        self.start = start
    }

    var isOver: Bool { isCut || (sent == batch.count && open.isEmpty) }

    /// The number of messages that may be sent now.
    func due(at now: Interval) -> Int {
        var due = batch.count - sent
        if batch.rate > 0 {
            let soFar = Int((now - start).milliseconds) * batch.rate / 1_000 + 1
            due = min(due, soFar - sent)
        }
        return max(0, min(due, Self.window - open.count))
    }
}

extension PlannedWorld {
    /// Sends the due messages of every batch and takes the answers.
    func pumpBatches() {
        for number in batches.indices where !batches[number].isOver {
            let batch = batches[number].batch
            let node = batch.by.index
            collect(number)
            guard world.isLive(node, batches[number].process) else {
                batches[number].isCut = true
                continue
            }
            guard !world.nodes[node].isPaused else { continue }
            let due = batches[number].due(at: now)
            guard due > 0 else { continue }
            let first = batches[number].sent
            let drafts = (first..<first + due).map { index in
                World.Draft(session: batch.session(of: index), text: batch.url(of: index))
            }
            let requests = world.send(drafts, by: node, in: conversations[batch.conversation])
            for (offset, request) in requests.enumerated() {
                batches[number].open.append((request, first + offset))
            }
            batches[number].sent += due
        }
    }

    private func collect(_ number: Int) {
        let batch = batches[number].batch
        var open: [(request: RequestID, index: Int)] = []
        for entry in batches[number].open {
            guard let answer = world.answer(entry.request) else {
                open.append(entry)
                continue
            }
            guard case .stored(let message) = answer else { continue }
            run.acknowledged(
                PlanBook.Acknowledgement(
                    by: batch.by,
                    conversation: batch.conversation,
                    session: batch.session(of: entry.index),
                    id: id(message.dot),
                    revision: message.revision
                )
            )
        }
        batches[number].open = open
    }
}
