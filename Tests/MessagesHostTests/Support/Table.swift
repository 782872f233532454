import Foundation
import Messages
import MessagesHost
import MessagesTesting
import Synchronization
import Testing

/// Ann, who has the probe open, and Ben, who has it too.
@MainActor
struct Table {
    let harness: Harness
    let ann: Player
    let ben: Player

    init(
        settings: HostSettings = HostSettings(),
        participants: [String] = ["ann", "ben"]
    ) throws {
        Probe.reset()
        harness = Harness(apps: [Probe.self], participants: participants, settings: settings)
        ann = try harness["ann"]
        ben = try harness["ben"]
    }

    /// Opens the app at ann's and gives her conversation; calls so far are forgotten.
    func opened() throws -> MSConversation {
        try ann.open()
        Probe.calls = []
        return try #require(ann.conversation)
    }
}

/// The calls of a completion handler: their arguments and their queue.
final class Answers: Sendable {
    struct Answer: Sendable {
        let code: Int?
        let isOnMainQueue: Bool
    }

    private let answers = Mutex<[Answer]>([])

    var all: [Answer] { answers.withLock { $0 } }

    /// The one code, nil for success.
    var code: Int? {
        get throws {
            let all = all
            try #require(all.count == 1, "answered \(all.count) times")
            #expect(all[0].isOnMainQueue)
            return all[0].code
        }
    }

    var handler: @Sendable ((any Error)?) -> Void {
        { error in
            let answer = Answer(
                code: (error as NSError?)?.code,
                isOnMainQueue: MainQueue.isCurrent
            )
            self.answers.withLock { $0.append(answer) }
        }
    }
}
