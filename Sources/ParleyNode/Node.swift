public import Foundation
import ParleyCore
import ParleyLoop

/// A node: what one data directory and one device are on the network.
///
/// Make it, `start` it, use it from anywhere, `stop` it; once stopped it stays stopped. Any number
/// of nodes live in one process, each with a data directory of its own.
public actor Node {
    /// All work of a node is done on one serial queue.
    private nonisolated let executor: QueueExecutor
    /// The executor of that queue.
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    private let settings: NodeSettings
    private var shell: NodeShell?

    /// A node that is not started.
    public init(_ settings: NodeSettings) {
        self.settings = settings
        executor = QueueExecutor(label: "parley.node")
    }

    // MARK: Life

    /// Opens the data directory, listens, announces itself and dials.
    ///
    /// - Returns: what to tell people, once the store is recovered and the listener bound.
    /// - Throws: `badSetting`, `dataDirectoryInUse`, `dataDirectoryUnusable`, `portInUse`,
    ///   `notListening`, `storeFailed`; `stopped` if it was started before.
    public func start() async throws(NodeError) -> ReadyNode {
        guard shell == nil else { throw .stopped }
        try settings.validate()
        let opened = try OpenedDirectory(
            path: settings.dataDirectory.path,
            keepsInMemory: settings.keepsInMemory
        )
        let shell = NodeShell(settings, executor: executor, opened: opened)
        self.shell = shell
        do throws(NodeError) {
            try await shell.start()
        } catch {
            await shell.stop()
            self.shell = nil
            throw error
        }
        return await shell.ready
    }

    /// Says goodbye to every peer and closes the store; what was acknowledged stays.
    public func stop() async {
        await shell?.stop()
    }

    /// What happens from now on, in order.
    ///
    /// The stream ends when the node stops, or when its reader falls far behind.
    public func events() async -> AsyncStream<NodeEvent> {
        guard let shell else { return AsyncStream { $0.finish() } }
        return await shell.events()
    }

    // MARK: Conversations

    /// Makes a conversation with a new key; this node may write in it.
    ///
    /// - Parameter name: 1 to 64 bytes, not used here yet.
    /// - Returns: the conversation.
    /// - Throws: `badName`, `nameTaken`, `tooManyConversations`, `relayOnly`, `stopped`.
    public func createConversation(named name: String) async throws(NodeError) -> Conversation {
        try await running().createConversation(named: name)
    }

    /// Joins by an invite, or by `open:NAME`.
    ///
    /// - Parameters:
    ///   - link: The invite.
    ///   - name: What to call it here; nil: the name in the invite.
    /// - Returns: the conversation.
    /// - Throws: `badInvite`, `badName`, `nameTaken`, `alreadyJoined`, `tooManyConversations`,
    ///   `relayOnly`, `stopped`.
    public func join(
        _ link: String,
        as name: String? = nil
    ) async throws(NodeError) -> Conversation {
        try await running().join(link, as: name)
    }

    /// Forgets a conversation and everything in it.
    ///
    /// - Throws: `unknownConversation`, `stopped`.
    public func leaveConversation(named name: String) async throws(NodeError) {
        try await running().leaveConversation(named: name)
    }

    /// The conversations of this node, in the order in which they were joined.
    public func conversations() async throws(NodeError) -> [Conversation] {
        await (try running()).conversations()
    }

    /// A link that lets others join, with at most the role that this node has.
    ///
    /// - Throws: `unknownConversation`, `readOnly` if this node has less than `role`, `stopped`.
    public func invite(
        to name: String,
        role: Role = .writer
    ) async throws(NodeError) -> Invite {
        try await running().invite(to: name, role: role)
    }

    // MARK: Messages

    /// Sends a message; it replaces the present one of its session.
    ///
    /// - Returns: what was sent, once it is where `wait` says.
    /// - Throws: what `NodeError` lists under bad input, refused and store; `notYetDelivered` when
    ///   the time is over, and the message is sent nevertheless.
    public func send(
        _ draft: Draft,
        to conversation: String,
        wait: SendWait = .stored
    ) async throws(NodeError) -> SentMessage {
        try await running().send(draft, to: conversation, wait: wait)
    }

    /// What a person sees of a conversation, oldest first.
    ///
    /// - Throws: `unknownConversation`, `unreadable` on a relay, `storeFailed`, `stopped`.
    public func transcript(of conversation: String) async throws(NodeError) -> [TranscriptEntry] {
        try await running().transcript(of: conversation)
    }

    /// Everything that is here of a session.
    ///
    /// - Throws: `unknownSession`, `storeFailed`, `stopped`.
    public func session(_ session: SessionID) async throws(NodeError) -> SessionDetail {
        try await running().session(session)
    }

    /// The same, as a conversation has it: one UUID may be a session in each of several.
    package func session(
        _ session: SessionID,
        in conversation: String
    ) async throws(NodeError) -> SessionDetail {
        try await running().session(session, in: conversation)
    }

    /// The sessions with more than one head, in all conversations that can be read.
    public func conflicts() async throws(NodeError) -> [Conflict] {
        try await running().conflicts()
    }

    /// The picture of a message of a session, nil if it has none or it has not arrived yet.
    ///
    /// - Throws: `unknownSession`, `unknownMessage`, `storeFailed`, `stopped`.
    public func pictureBytes(
        of message: MessageID,
        session: SessionID
    ) async throws(NodeError) -> Data? {
        try await running().pictureBytes(of: message, session: session)
    }

    /// The same, of the session as a conversation has it.
    package func pictureBytes(
        of message: MessageID,
        session: SessionID,
        in conversation: String
    ) async throws(NodeError) -> Data? {
        try await running().pictureBytes(of: message, session: session, in: conversation)
    }

    // MARK: The node itself

    /// Devices that share a conversation with this node, linked or not.
    public func peers() async -> [Peer] {
        await shell?.peers() ?? []
    }

    /// Devices around, whether they share anything or not.
    public func nearby() async -> [Peer] {
        await shell?.nearby() ?? []
    }

    /// The node at a glance.
    ///
    /// - Throws: `stopped`.
    public func status() async throws(NodeError) -> NodeStatus {
        await (try running()).status()
    }

    private func running() throws(NodeError) -> NodeShell {
        guard let shell, !shell.assumeIsolated({ $0.isStopping }) else { throw .stopped }
        return shell
    }
}
