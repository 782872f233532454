import Foundation
import ParleyCore
import ParleyKeys

/// The state that all rows share: the conversation, its author, prepared traffic, and a directory
/// for data.
final class Bench {
    /// The greatest number of conversations of a row.
    static let conversationsMax = 64

    let isQuick: Bool
    /// The author in each of its conversations; most rows use only the first one.
    let authors: [Author]
    var author: Author { authors[0] }
    /// Another author in the first conversation.
    let partner: Author
    /// The number of the round, from 1.
    var round = 1
    /// The cipher suites that other servers have negotiated.
    var ciphers: Set<String> = []
    /// The directory for all data, which is removed at the end.
    let directory: URL
    private var madeCertificates: Certificates?
    private var traffic: [Traffic.Shape: Traffic] = [:]
    private var lastNumber = 0

    init(isQuick: Bool, directory: URL) throws {
        self.isQuick = isQuick
        self.directory = directory
        var random = SystemRandomNumberGenerator()
        let key = DeviceKey.random()
        authors = try (0..<Self.conversationsMax).map { _ in
            try Author(Capability.newConversation(using: &random), key: key)
        }
        partner = try Author(authors[0].capability)
    }

    /// The traffic of that shape, which is made on first use.
    func traffic(_ shape: Traffic.Shape) -> Traffic {
        if let present = traffic[shape] { return present }
        let made = Traffic(shape, by: [[author, partner]] + authors.dropFirst().map { [$0] })
        traffic[shape] = made
        return made
    }

    /// The certificates of the servers that Parley is compared with, which are made on first use.
    func certificates() throws -> Certificates {
        if let madeCertificates { return madeCertificates }
        let made = try Certificates(in: newDirectory())
        madeCertificates = made
        return made
    }

    /// The path of a new directory for one process.
    func newDirectory() -> String {
        lastNumber += 1
        return directory.appendingPathComponent("\(getpid())-\(lastNumber)").path
    }

    /// Removes the directories of the processes.
    func cleanUp() { Self.remove(directory) }

    static func remove(_ directory: URL) {
        // Files that cannot be removed do no harm.
        try? FileManager.default.removeItem(at: directory)
    }

    /// The invites to the first conversations, separated by commas.
    func invites(_ role: Capability.Role, conversations: Int = 1) throws -> String {
        try authors.prefix(conversations).map { author in
            let capability = try author.capability.limited(to: role)
            return InviteLink(capability, name: try ConversationName("bench")).text
        }.joined(separator: ",")
    }

    /// Starts a node under test, in a new directory if none is given; returns it with its address.
    func startNode(
        keepsInMemory: Bool,
        role: Capability.Role = .relay,
        conversations: Int = 1,
        processor: Int = 0,
        directory: String? = nil,
        listen: String = "127.0.0.1:0",
        by command: [String] = [],
        peers: [String] = []
    ) throws -> (child: ChildProcess, address: String) {
        let order = NodeChild.Order(
            directory: directory ?? newDirectory(),
            invites: try invites(role, conversations: conversations),
            keepsInMemory: keepsInMemory,
            processor: processor,
            listen: listen,
            peers: peers
        )
        let child = try ChildProcess(order.arguments, by: command)
        return (child, try child.line())
    }
}

/// One figure of a row.
struct Figure: Codable {
    let name: String
    let value: Double

    init(_ name: String, _ value: Double) {
        self.name = name
        self.value = value
    }
}

/// The target of a figure.
struct Target {
    enum Bound {
        case atMost(Double)
        case atLeast(Double)
    }

    let figure: String
    let bound: Bound

    init(_ figure: String, _ bound: Bound) {
        self.figure = figure
        self.bound = bound
    }

    func isReached(by value: Double) -> Bool {
        switch bound {
        case .atMost(let limit): value <= limit
        case .atLeast(let limit): value >= limit
        }
    }
}

/// A benchmark, which gives one line of the table.
protocol Row: Sendable {
    var name: String { get }
    /// The name of the floor row to compare with, if there is one.
    var floor: String? { get }
    var targets: [Target] { get }
    /// The reason why this machine cannot measure the row; nil if it can.
    var missing: String? { get }

    /// Measures one round; returns the figures in the order of the columns.
    func measure(_ bench: Bench) async throws -> [Figure]
}

extension Row {
    var floor: String? { nil }
    var targets: [Target] { [] }
    var missing: String? { nil }
}
