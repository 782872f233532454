package import Foundation
package import ParleyCore
import ParleyLoop
@_exported public import ParleyValues
public import struct ParleyValues.Conversation

/// A node: one data directory and one device on the network.
///
/// A node is made, started, used from any isolation, and stopped; a stopped node cannot be started
/// again. One process may run any number of nodes, each with its own data directory.
public actor Node {
    /// The serial queue on which all work of the node is done.
    private nonisolated let executor: QueueExecutor
    /// The executor of that queue.
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    let settings: NodeSettings
    private var shell: NodeShell?
    let searchIndex = SearchIndex()

    /// Makes a node that is not started.
    public init(_ settings: NodeSettings) {
        self.settings = settings
        executor = QueueExecutor(label: "parley.node")
    }

    // MARK: Life

    /// Opens the data directory, listens, announces itself and dials.
    ///
    /// The call returns when the store is recovered and the listener is bound.
    ///
    /// - Returns: the device ID, the name and the addresses of the node.
    /// - Throws: `badSetting`, `dataDirectoryInUse`, `dataDirectoryUnusable`, `portInUse`,
    ///   `notListening`, `storeFailed`; `stopped` if the node was started before.
    public func start() async throws(NodeError) -> ReadyNode {
        guard shell == nil else { throw .stopped }
        try settings.validate()
        let opened = try OpenedDirectory(settings)
        let shell = NodeShell(settings, executor: executor, opened: opened)
        self.shell = shell
        do throws(NodeError) {
            try await shell.start()
        } catch {
            await shell.stop()
            self.shell = nil
            throw error
        }
        await loadFiles()
        return await shell.ready
    }

    /// Closes every link and then the store; all acknowledged messages are on disk.
    ///
    /// The call returns when another node can use the data directory, and may be repeated.
    public func stop() async {
        await shell?.stop()
    }

    /// Dials further nodes, at addresses as `HOST:PORT` that `NodeSettings.validate` accepts.
    package func dial(_ addresses: [String]) async {
        await shell?.addPeers(addresses)
    }

    /// The counts and the troubles of the node in a line for a service manager, from its own loop;
    /// nil before its start.
    package var statusWords: String? {
        get async { await shell?.status().words }
    }

    /// The figures of this moment, from the node's own loop; nil unless it runs.
    package var measurements: NodeMeasurements? {
        get async { await shell?.measurements() }
    }

    /// Whether the node's own loop answers within that time.
    package nonisolated func answers(within limit: Duration) async -> Bool {
        await executor.answers(within: limit)
    }

    /// The events of the node from now on, in order.
    ///
    /// The stream ends when the node stops, or when its reader falls too far behind.
    public func events() async -> NodeEvents {
        guard let shell else { return .none }
        return await shell.events()
    }

    /// A file in the data directory for a host of apps; nil if the node keeps nothing on disk.
    package nonisolated func keptFile(named name: String) -> KeptFile? {
        guard !settings.keepsInMemory else { return nil }
        return KeptFile(path: settings.dataDirectory.appending(path: name).path)
    }

    /// A directory for apps in the data directory, not made yet; nil if the node keeps nothing on
    /// disk.
    package nonisolated func keptDirectory(named name: String) -> URL? {
        settings.keepsInMemory ? nil : settings.dataDirectory.appending(path: name)
    }

    // MARK: Conversations

    /// Creates a conversation with a new key, in which this node is a writer.
    ///
    /// If the disk fails meanwhile, the call throws, but the conversation exists, and is written
    /// when the disk works again.
    ///
    /// - Parameter name: The name, 1 to 64 bytes, which no other conversation of this node may
    ///   have.
    /// - Returns: the conversation.
    /// - Throws: `badName`, `nameTaken`, `tooManyConversations`, `relayOnly`, `storeFull`,
    ///   `storeFailed`, `stopped`.
    public func createConversation(named name: String) async throws(NodeError) -> Conversation {
        try await running().createConversation(named: name)
    }

    /// Joins a conversation by an invite, or by `open:NAME`.
    ///
    /// A disk that fails meanwhile has the same effect as in `createConversation`.
    ///
    /// - Parameters:
    ///   - link: The invite.
    ///   - name: The name of the conversation on this node; nil for the name in the invite.
    /// - Returns: the conversation.
    /// - Throws: `badInvite`, `badName`, `nameTaken`, `alreadyJoined`, `tooManyConversations`,
    ///   `notLetIn`, `relayOnly`, `storeFull`, `storeFailed`, `stopped`.
    public func join(
        _ link: String,
        as name: String? = nil
    ) async throws(NodeError) -> Conversation {
        try await running().join(link, as: name)
    }

    /// Leaves a conversation and deletes its content from this node.
    ///
    /// A disk that fails meanwhile has the same effect as in `createConversation`.
    ///
    /// - Parameters:
    ///   - name: The name of the conversation on this node.
    ///   - force: Whether to leave although messages may be lost: acknowledged messages of this
    ///     node that no other node has confirmed since the start.
    /// - Throws: `unknownConversation`, `onlyCopies`, `storeFull`, `storeFailed`, `stopped`.
    public func leaveConversation(
        named name: String,
        force: Bool = false
    ) async throws(NodeError) {
        try await running().leaveConversation(named: name, force: force)
    }

    /// The conversations of this node, in the order of joining.
    public func conversations() async throws(NodeError) -> [Conversation] {
        try reader.conversations
    }

    /// As `conversations`, with the amounts kept of each.
    package func keptConversations() async throws(NodeError) -> [Conversation] {
        await (try running()).keptConversations()
    }

    /// A link that lets others join, with at most the role of this node.
    ///
    /// - Throws: `unknownConversation`, `readOnly` if this node has less than `role`, `stopped`.
    public func invite(
        to name: String,
        role: Role = .writer
    ) async throws(NodeError) -> Invite {
        try reader.invite(to: name, role: role, isRelay: settings.isRelay)
    }

    /// An invite that ends: its link has no secret, and needs this node to be up.
    ///
    /// - Parameters:
    ///   - name: The conversation.
    ///   - role: The role that the invite gives.
    ///   - seconds: How long it lasts, 60 to 31,536,000; nil without an end.
    ///   - uses: How many devices may come, 1 to 256; nil for 256.
    /// - Returns: the invite, with its `ending`.
    /// - Throws: as `invite(to:role:)`, and `badInvite` for an open conversation,
    ///   `tooManyInvites`, `storeFull`, `storeFailed`.
    package func invite(
        to name: String,
        role: Role,
        lasting seconds: UInt64?,
        uses: UInt32?
    ) async throws(NodeError) -> Invite {
        try await EndingInvites.make(to: name, role, lasting: seconds, uses, on: running())
    }

    /// The invites of this node that end, by number; ended ones are there until others need their
    /// place.
    ///
    /// - Throws: `stopped`.
    package func invites() async throws(NodeError) -> [InviteDetail] {
        await EndingInvites.all(of: try running())
    }

    /// Ends an invite; who came by it stays in the conversation.
    ///
    /// - Throws: `unknownInvite`, `storeFull`, `storeFailed`, `stopped`.
    package func revokeInvite(_ number: Int) async throws(NodeError) {
        try await EndingInvites.revoke(number, on: running())
    }

    // MARK: Pairing

    /// Starts to pair with a device, or agrees to its request.
    ///
    /// Two people compare the digits on both screens, and each calls `confirmPairing`.
    ///
    /// - Parameters:
    ///   - device: The name of a device nearby, the beginning of its ID, or its address.
    ///   - conversation: The conversation to which the other device gets an invite, if any.
    ///   - role: The role that the invite gives.
    /// - Returns: the pairing; `events` and `pairings` report its progress.
    /// - Throws: `unknownDevice`, `ambiguousDevice`, `pairingUnderWay`, `pairedOtherwise`,
    ///   `tooManyTries`, `unknownConversation`, `readOnly`, `stopped`.
    public func pair(
        with device: String,
        sharing conversation: String? = nil,
        role: Role = .writer
    ) async throws(NodeError) -> PairingState {
        try await running().pair(with: device, sharing: conversation, role: role)
    }

    /// Says that both screens show the same digits.
    ///
    /// - Throws: `unknownPairing`, `nothingToCompare`, `stopped`.
    public func confirmPairing(_ id: PairingState.ID) async throws(NodeError) -> PairingState {
        try await running().confirmPairing(id)
    }

    /// Ends a pairing, or forgets one that has ended.
    ///
    /// - Throws: `unknownPairing`, `stopped`.
    public func cancelPairing(_ id: PairingState.ID) async throws(NodeError) {
        try await running().cancelPairing(id)
    }

    /// The pairings under way, and the last pairings that have ended.
    public func pairings() async -> [PairingState] {
        await shell?.pairingList.all ?? []
    }

    // MARK: The node itself

    /// The members of all conversations with a link, with a former link, or without need of one.
    public func peers() async -> [Peer] {
        await shell?.peers() ?? []
    }

    /// The devices that are announced or linked, whether they share a conversation or not.
    public func nearby() async -> [Peer] {
        await shell?.nearby() ?? []
    }

    /// The devices that are blocked or allowed.
    ///
    /// - Throws: `stopped`.
    package func listedDevices() async throws(NodeError) -> [ListedDevice] {
        await (try running()).deviceLists.devices
    }

    /// Puts a device on a list, or takes it off; links that are not allowed any more end at once.
    ///
    /// - Parameters:
    ///   - device: The ID of a device, or the name or the beginning of the ID of a known device.
    ///   - list: The list.
    ///   - removing: Whether to take the device off the list.
    /// - Returns: the lists, which are on disk.
    /// - Throws: `unknownDevice`, `ambiguousDevice`, `badSetting`, `storeFailed`, `stopped`.
    package func list(
        _ device: String,
        _ list: ListedDevice.List,
        removing: Bool = false
    ) async throws(NodeError) -> [ListedDevice] {
        try await running().list(device, list, removing: removing)
    }

    /// Reads back parts of the database that another process found damaged, and restores damaged
    /// parts from memory or members.
    ///
    /// - Parameters:
    ///   - sessions: The rows of sessions.
    ///   - pictures: The hashes of pictures, in hexadecimal digits.
    /// - Throws: `stopped`.
    package func repair(sessions: [Int64], pictures: [String]) async throws(NodeError) {
        let blobs = pictures.compactMap { BlobID(hex: $0) }
        await (try running()).doubt(sessions: sessions, pictures: blobs)
    }

    /// The status of the node.
    ///
    /// - Throws: `stopped`.
    public func status() async throws(NodeError) -> NodeStatus {
        await (try running()).status()
    }

    /// The amounts that the node keeps for its peers.
    ///
    /// - Throws: `stopped`.
    package func load() async throws(NodeError) -> NodeLoad {
        try reader.machine.load
    }

    /// The files of the node; nil before its start.
    var shellFiles: FileService? { shell?.files }

    /// The shell, unless the node was not started or is stopping.
    func running() throws(NodeError) -> NodeShell {
        guard let shell, !shell.assumeIsolated({ $0.isStopping }) else { throw .stopped }
        return shell
    }
}
