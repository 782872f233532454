import Messages
import Synchronization
import Testing

/// The host behind a conversation in these tests: keeps what it gets and does what it is told.
final class DeskHost: ConversationHosting {
    enum Answer: Sendable {
        case succeed
        case fail(MessagesFailure)
        /// Lets go of the completion without finishing it.
        case forget
    }

    struct Kept: Sendable {
        var inserted: [ConversationItem] = []
        var sent: [ConversationItem] = []
    }

    let local = UUID()
    let completionQueue = CompletionQueue()
    private let answer: Answer
    private let state = Mutex(Kept())

    init(_ answer: Answer = .succeed) {
        self.answer = answer
    }

    var kept: Kept { state.withLock { $0 } }

    func makeConversation(remote: [UUID] = [UUID()]) -> MSConversation {
        MSConversation(local: local, remote: remote, host: self)
    }

    func insert(_ item: ConversationItem, completion: Completion) {
        state.withLock { $0.inserted.append(item) }
        finish(item, completion) { $0.staged(by: local) }
    }

    func send(_ item: ConversationItem, completion: Completion) {
        state.withLock { $0.sent.append(item) }
        finish(item, completion) { $0.sent(by: local) }
    }

    private func finish(
        _ item: ConversationItem,
        _ completion: Completion,
        change: (MessageStatus) -> Void
    ) {
        do throws(MessagesFailure) {
            if case .message(let contents, let status) = item {
                try contents.checkURL()
                change(status)
            }
        } catch {
            return completion.fail(error)
        }
        switch answer {
        case .succeed: completion.succeed()
        case .fail(let failure): completion.fail(failure)
        case .forget: break
        }
    }
}

extension ConversationItem {
    var contents: MessageContents? {
        guard case .message(let contents, _) = self else { return nil }
        return contents
    }
}

/// Gathers what handlers are called with, from any thread.
final class Answers: Sendable {
    private let codes = Mutex<[Int?]>([])
    private let queue: CompletionQueue

    init(_ host: DeskHost) {
        queue = host.completionQueue
    }

    /// A handler that notes its error's code and that it runs on the main queue.
    var handler: @Sendable ((any Error)?) -> Void {
        { error in
            #expect(MainQueue.isCurrent)
            self.codes.withLock { $0.append((error as NSError?)?.code) }
        }
    }

    /// The codes so far, nil for success, after all that is under way.
    @MainActor var all: [Int?] {
        queue.callWaiting()
        return codes.withLock { $0 }
    }
}
