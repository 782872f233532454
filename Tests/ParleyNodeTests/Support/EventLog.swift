import ParleyNode
import Synchronization
import TestSupport

/// The events that a listener has heard so far.
final class EventLog: Sendable {
    private let heard = Mutex<[NodeEvent]>([])
    private let listening: Mutex<Task<Void, Never>?> = Mutex(nil)

    init(_ stream: NodeEvents) {
        let task = Task { [weak self] in
            for await event in stream { self?.add(event) }
        }
        listening.withLock { $0 = task }
    }

    deinit { listening.withLock { $0?.cancel() } }

    var events: [NodeEvent] { heard.withLock { $0 } }

    private func add(_ event: NodeEvent) { heard.withLock { $0.append(event) } }

    func await(_ what: String, _ isIt: (NodeEvent) -> Bool) async throws {
        try await eventually(what) { events.contains(where: isIt) }
    }
}
