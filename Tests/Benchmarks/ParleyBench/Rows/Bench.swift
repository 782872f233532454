import Foundation
import ParleyCore
import ParleyKeys

/// What all rows share: the conversation, its author, prepared traffic, and a place for data.
final class Bench {
    let isQuick: Bool
    let author: Author
    private let directory: URL
    private var traffic: [Traffic.Shape: Traffic] = [:]
    private var lastNumber = 0

    init(isQuick: Bool, directory: URL) throws {
        self.isQuick = isQuick
        self.directory = directory
        var random = SystemRandomNumberGenerator()
        author = try Author(Capability.newConversation(using: &random))
    }

    /// The traffic of that shape, made once.
    func traffic(_ shape: Traffic.Shape) -> Traffic {
        if let present = traffic[shape] { return present }
        let made = Traffic(shape, by: author)
        traffic[shape] = made
        return made
    }

    /// A fresh directory for one process.
    func newDirectory() -> String {
        lastNumber += 1
        return directory.appendingPathComponent("\(getpid())-\(lastNumber)").path
    }

    /// Removes what the processes left.
    func cleanUp() {
        // What cannot be removed is in the way of nobody.
        try? FileManager.default.removeItem(at: directory)
    }

    func invite(_ role: ParleyCore.Role) throws -> String {
        let capability = try author.capability.limited(to: role)
        return InviteLink(capability, name: try ConversationName("bench")).text
    }

    /// Starts a node under test; the answer comes with its address.
    func startNode(
        keepsInMemory: Bool,
        role: ParleyCore.Role = .relay,
        peer: String? = nil
    ) throws -> (child: ChildProcess, address: String) {
        let order = NodeChild.Order(
            directory: newDirectory(),
            invite: try invite(role),
            keepsInMemory: keepsInMemory,
            peer: peer
        )
        let child = try ChildProcess(order.arguments)
        return (child, try child.line())
    }
}

/// One figure of a row.
struct Figure {
    let name: String
    let value: Double

    init(_ name: String, _ value: Double) {
        self.name = name
        self.value = value
    }
}

/// What a figure should come to.
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

/// One line of the table.
protocol Row: Sendable {
    var name: String { get }
    /// The row without protocol to compare with, if there is one.
    var floor: String? { get }
    var targets: [Target] { get }

    /// Measures once; the figures come in the order of the columns.
    func measure(_ bench: Bench) async throws -> [Figure]
}

extension Row {
    var floor: String? { nil }
    var targets: [Target] { [] }
}
