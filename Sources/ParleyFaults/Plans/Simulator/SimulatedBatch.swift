import ParleyCore

/// A batch under way in the simulator.
struct SimulatedBatch {
    let batch: PlanBatch
    /// The process of the node that it began with; it ends with it.
    let process: Int
    let start: Interval
    var sent = 0
    /// What was not answered yet, by the number of the message.
    var open: [(request: RequestID, index: Int)] = []
    var isCut = false

    /// As many as the control API takes at a time.
    private static let window = 256

    init(_ batch: PlanBatch, process: Int, start: Interval) {
        self.batch = batch
        self.process = process
        self.start = start
    }

    var isOver: Bool { isCut || (sent == batch.count && open.isEmpty) }

    /// How many messages can be sent now.
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
    /// Sends what is due of every batch and takes what was answered.
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
