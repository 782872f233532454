import Dispatch
public import Messages
public import MessagesHost
import ParleyCore
import ParleyFaults
import ParleyNode

/// Several people who use apps, each on a separate machine, all in one process: for tests of apps.
///
/// Each participant has a host and a node. The nodes run the real protocol in virtual time, with
/// disks in memory and a network that a test can cut. Tests never wait, and are deterministic.
///
/// ```swift
/// let table = try Harness(apps: [TicTacToe.self], participants: ["ann", "ben"])
/// let ann = try table["ann"], ben = try table["ben"]
/// try ann.open()
/// try ann.tap("New game")
/// try ann.tap("5")
/// try ann.send()
/// try ben.tapBubble()
/// #expect(ben.screen.contains("Your turn"))
/// ```
@MainActor
public final class Harness {
    /// The people, in the order in which they were named.
    public let players: [Player]
    /// The name of the conversation, which is the same for everybody.
    public static let conversation = "table"

    let world: World
    /// How many actions of players are under way, one inside of another.
    private var actions = 0
    private let tap = DeliveryTap()
    private let identifiers: SeededIdentifiers
    private let files: HarnessFiles

    /// How long `settle` waits for all nodes to agree, in virtual time.
    private static let patience = Interval.seconds(5)
    /// How long `heal` waits, as links that were cut must be given up and dialled again.
    private static let patienceAfterHealing = Interval.seconds(60)

    /// A table at which everybody has the same apps, all closed.
    ///
    /// - Parameters:
    ///   - apps: The apps.
    ///   - participants: Names, all different.
    ///   - settings: The settings of all hosts.
    ///   - seed: The seed of all random numbers, in the nodes and on the network.
    public convenience init(
        apps: [MSMessagesAppViewController.Type],
        participants: [String],
        settings: HostSettings = HostSettings(),
        seed: UInt64 = 1
    ) {
        self.init(
            apps: apps.map { HostedApp($0) },
            participants: participants,
            settings: settings,
            seed: seed
        )
    }

    /// A table at which everybody has the same apps, given with IDs and names.
    public convenience init(
        apps: [HostedApp],
        participants: [String],
        settings: HostSettings = HostSettings(),
        seed: UInt64 = 1
    ) {
        self.init(
            participants: participants.map { ($0, apps) },
            settings: settings,
            seed: seed
        )
    }

    /// A table at which people have different apps.
    public init(
        participants: [(name: String, apps: [HostedApp])],
        settings: HostSettings = HostSettings(),
        seed: UInt64 = 1
    ) {
        var worldSettings = WorldSettings()
        worldSettings.seed = seed
        let world = World(nodes: participants.count, worldSettings)
        world.watch(with: [tap])
        let table = SimulatedConversation(seed, name: Self.conversation)
        world.join(table, Array(participants.indices))
        self.world = world
        identifiers = SeededIdentifiers(seed: seed)
        let files = HarnessFiles()
        self.files = files
        let names = Dictionary(
            zip(world.nodes.map(\.device), participants.map(\.name))
        ) { first, _ in first }
        players = participants.enumerated().map { index, participant in
            Player(
                participant.name,
                apps: participant.apps,
                settings: settings,
                world: world,
                node: index,
                names: names,
                folders: AppFolders(directory: files.directory.appending(path: String(index)))
            )
        }
        for player in players { player.table = self }
        pass(seconds: 1)
        for player in players { player.startHost() }
        settle()
    }

    /// The participant of that name.
    ///
    /// - Throws: `noSuchParticipant`.
    public subscript(name: String) -> Player {
        get throws(HarnessError) {
            guard let player = players.first(where: { $0.name == name }) else {
                throw .noSuchParticipant(name)
            }
            return player
        }
    }

    // MARK: Time

    /// Runs the world until all nodes that reach each other agree and nothing is left to do.
    public func settle() {
        settle(atMost: Self.patience)
    }

    /// Settles, and also runs work that apps put on the main queue, such as the
    /// `DispatchQueue.main.async` in a completion handler.
    public func finishMainQueue() async {
        for _ in 0..<3 {
            settle()
            await withCheckedContinuation { done in
                DispatchQueue.main.async { done.resume() }
            }
        }
        settle()
    }

    /// Lets virtual time pass, for example until a dead link is noticed.
    public func pass(seconds: Int64) {
        let end = world.now + .seconds(seconds)
        while world.now < end {
            // Now and then hosts have something to do at a time, such as every 20 seconds.
            let next = min(end, world.now + .seconds(5))
            world.run(upTo: next - world.now) { [tap] _ in !tap.caught.isEmpty }
            if tap.caught.isEmpty { world.run(until: next) }
            notifyHosts()
        }
    }

    private func settle(atMost patience: Interval) {
        let end = world.now + patience
        repeat {
            notifyHosts()
            let rest = end - world.now
            guard rest.nanoseconds > 0 else { break }
            let isThere = world.run(upTo: rest) { [tap] _ in
                !tap.caught.isEmpty || isQuiet
            }
            if !isThere { world.run(until: end) }
        } while !tap.caught.isEmpty || !isQuiet
        // Confirmations of other nodes arrive a little later.
        pass(milliseconds: 20)
    }

    private func pass(milliseconds: Int64) {
        world.run(.milliseconds(milliseconds))
        notifyHosts()
    }

    private var isQuiet: Bool {
        world.isOnDisk && world.agreement.isConverged && players.allSatisfy(\.isQuiet)
    }

    /// Gives the recorded deliveries to the hosts, and lets apps get their completions.
    private func notifyHosts() {
        act {
            for (node, delivery) in tap.take() { players[node].take(delivery) }
            for player in players { player.finishCompletions() }
        }
    }

    /// Runs code of apps; the identifiers of new sessions follow from the seed.
    func act<Value>(_ body: @MainActor () -> Value) -> Value {
        actions += 1
        defer { actions -= 1 }
        return identifiers.use(body)
    }

    /// Settles on the main queue, for work of a node that no action of a player caused.
    ///
    /// Only actions let virtual time pass. So without this function, a test that awaits
    /// `conversation.send(message)` would wait for ever.
    func asked() {
        guard actions == 0 else { return }
        DispatchQueue.main.async { [weak self] in MainActor.assumeIsolated { self?.settle() } }
    }

    // MARK: The network

    /// Cuts these people off from all others, but not from one another.
    public func cutOff(_ names: String...) throws(HarnessError) {
        var nodes: [Int] = []
        for name in names { nodes.append(try self[name].node) }
        world.isolate(nodes)
    }

    /// Ends all cuts, and waits until everybody has caught up.
    public func heal() {
        world.heal()
        settle(atMost: Self.patienceAfterHealing)
    }
}
