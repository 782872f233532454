public import Foundation

/// A conversation as one app sees it: participants, selected message, staging and sending.
///
/// `insert` puts an item into the input field, from where a person sends the item; `send` sends at
/// once. Each handler is called exactly once, on the main queue: when the item is staged, or when
/// sending has started. Every call may be made on any thread.
/// sending has started. Every call may be made on any thread.
open class MSConversation: NSObject {
    /// The participant of this device, which has the same UUID on every node of the conversation.
    open package(set) var localParticipantIdentifier: UUID

    /// The other participants.
    open package(set) var remoteParticipantIdentifiers: [UUID] {
        get { remotes.value }
        set { remotes.value = newValue }
    }

    /// The message of this app that a person tapped, or the app's draft.
    open package(set) var selectedMessage: MSMessage? {
        get { selected.value }
        set { selected.value = newValue }
    }

    private let remotes: Guarded<[UUID]>
    private let selected = Guarded<MSMessage?>(nil)
    private weak var host: (any ConversationHosting)?
    /// The host's queue, which is kept so that handlers are still called after the host was
    /// released.
    private let completionQueue: CompletionQueue

    /// A conversation without participants and without a host: every call fails.
    public override init() {
        localParticipantIdentifier = .zero
        remotes = Guarded([])
        completionQueue = CompletionQueue()
        super.init()
    }

    /// A conversation of `host`, which it references weakly.
    package init(local: UUID, remote: [UUID], host: any ConversationHosting) {
        localParticipantIdentifier = local
        remotes = Guarded(remote)
        self.host = host
        completionQueue = host.completionQueue
        super.init()
    }

    // MARK: Staging

    /// Stages a message in place of an earlier draft.
    @preconcurrency open func insert(
        _ message: MSMessage,
        completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        stage(Self.item(message), completionHandler)
    }

    /// Stages a sticker.
    @preconcurrency open func insert(
        _ sticker: MSSticker,
        completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        stage(.sticker(sticker.file), completionHandler)
    }

    /// Stages text.
    @preconcurrency open func insertText(
        _ text: String,
        completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        stage(.text(text), completionHandler)
    }

    /// Stages a local file, shown under `filename` if there is one.
    @preconcurrency open func insertAttachment(
        _ URL: URL,
        withAlternateFilename filename: String?,
        completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        stage(.attachment(URL, alternateFilename: filename), completionHandler)
    }

    // MARK: Sending

    /// Sends a message.
    @preconcurrency open func send(
        _ message: MSMessage,
        completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        start(Self.item(message), completionHandler)
    }

    /// Sends a sticker.
    @preconcurrency open func send(
        _ sticker: MSSticker,
        completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        start(.sticker(sticker.file), completionHandler)
    }

    /// Sends text.
    @preconcurrency open func sendText(
        _ text: String,
        completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        start(.text(text), completionHandler)
    }

    /// Sends a local file, shown under `filename` if there is one.
    @preconcurrency open func sendAttachment(
        _ URL: URL,
        withAlternateFilename filename: String?,
        completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        start(.attachment(URL, alternateFilename: filename), completionHandler)
    }

    // MARK: The same, awaited; the caller stays on its actor

    /// Stages a message in place of an earlier draft.
    nonisolated(nonsending) open func insert(_ message: MSMessage) async throws {
        try await answer { insert(message, completionHandler: $0) }
    }

    /// Stages a sticker.
    nonisolated(nonsending) open func insert(_ sticker: MSSticker) async throws {
        try await answer { insert(sticker, completionHandler: $0) }
    }

    /// Stages text.
    nonisolated(nonsending) open func insertText(_ text: String) async throws {
        try await answer { insertText(text, completionHandler: $0) }
    }

    /// Stages a local file, shown under `filename` if there is one.
    nonisolated(nonsending) open func insertAttachment(
        _ URL: URL,
        withAlternateFilename filename: String?
    ) async throws {
        try await answer {
            insertAttachment(URL, withAlternateFilename: filename, completionHandler: $0)
        }
    }

    /// Sends a message.
    nonisolated(nonsending) open func send(_ message: MSMessage) async throws {
        try await answer { send(message, completionHandler: $0) }
    }

    /// Sends a sticker.
    nonisolated(nonsending) open func send(_ sticker: MSSticker) async throws {
        try await answer { send(sticker, completionHandler: $0) }
    }

    /// Sends text.
    nonisolated(nonsending) open func sendText(_ text: String) async throws {
        try await answer { sendText(text, completionHandler: $0) }
    }

    /// Sends a local file, shown under `filename` if there is one.
    nonisolated(nonsending) open func sendAttachment(
        _ URL: URL,
        withAlternateFilename filename: String?
    ) async throws {
        try await answer {
            sendAttachment(URL, withAlternateFilename: filename, completionHandler: $0)
        }
    }

    // MARK: The host

    private static func item(_ message: MSMessage) -> ConversationItem {
        .message(MessageContents(message), message.status)
    }

    private func stage(_ item: ConversationItem, _ handler: Completion.Handler?) {
        let completion = completion(handler)
        host?.insert(item, completion: completion)
    }

    private func start(_ item: ConversationItem, _ handler: Completion.Handler?) {
        let completion = completion(handler)
        host?.send(item, completion: completion)
    }

    /// A completion that fails by itself when there is no host to finish it.
    private func completion(_ handler: Completion.Handler?) -> Completion {
        Completion(on: completionQueue, handler: handler)
    }

    nonisolated(nonsending) private func answer(
        _ call: (@escaping Completion.Handler) -> Void
    ) async throws {
        try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
            call { error in
                if let error { done.resume(throwing: error) } else { done.resume() }
            }
        }
    }
}
