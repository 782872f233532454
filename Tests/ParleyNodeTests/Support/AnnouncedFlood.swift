import Foundation
import ParleyCore
import ParleyKeys
import TestSupport
import Testing

/// Relays that announce envelopes which do not exist, in a process of their own, so that the memory
/// of the test's process is that of its nodes.
struct AnnouncedFlood: Codable, Sendable {
    /// The address of the node.
    let address: String
    /// The invite of a relay.
    let invite: String
    let relays: Int
    /// The path of a file to which the flood writes how many envelopes it has announced: once
    /// each relay has used up its credit, and again at its end.
    let report: String

    /// Announces until the node stops.
    func run() async throws {
        let invite = try InviteLink(parsing: self.invite)
        var flood: [HostileRelay] = []
        for number in 1...relays {
            let relay = try HostileRelay(UInt64(number), of: invite)
            flood.append(relay)
            // A node takes eight strangers of one address at a time.
            try await relay.dial(address)
            try await eventually("a link") { await relay.state != .dialling }
        }
        for relay in flood {
            try await eventually("the announcements") {
                await relay.announced >= Limits().namesPerLink
            }
        }
        for relay in flood { await relay.goOn() }
        try await write(flood)
        for relay in flood {
            try await eventually("the end of the node", within: .seconds(45)) {
                if case .ended = await relay.state { true } else { false }
            }
            #expect(await relay.state == .ended(.stopping))
            // The node believes every relay as far as its window, so it asks each.
            #expect(await relay.wanted > 0)
        }
        try await write(flood)
    }

    /// The number of envelopes that the report gives; nil before there is one.
    var announced: Int? {
        (try? String(contentsOfFile: report, encoding: .utf8)).flatMap { Int($0) }
    }

    private func write(_ flood: [HostileRelay]) async throws {
        var announced = 0
        for relay in flood { announced += await relay.announced }
        try "\(announced)".write(toFile: report, atomically: true, encoding: .utf8)
    }
}
