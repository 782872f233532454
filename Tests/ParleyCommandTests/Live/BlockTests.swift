import Foundation
import ParleyAPI
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct BlockTests {
    @Test func aDeviceIsBlockedAndListedAndUnblocked() async throws {
        let pair = try await NodePair()
        let bob = try await pair.bob.ask(NodeStatus.self, "status").device
        try await eventually("a link") {
            try await pair.alice.ask(NodeStatus.self, "status").links == 1
        }
        let none = try await pair.alice.run("block")
        #expect(none.status == 64 && none.errorText.contains("--list"), "\(none.errorText)")
        let unknown = try await pair.alice.run("block", "nobody")
        #expect(unknown.status == 65)
        let blocked = try await pair.alice.run("block", String(bob.prefix(9)))
        #expect(blocked.status == 0 && blocked.text.contains(bob), "\(blocked.errorText)")
        try await eventually("no link") {
            try await pair.bob.ask(NodeStatus.self, "status").links == 0
        }
        try await eventually("the reason in the log") {
            try await pair.bob.log.contains("it has no links to this device")
        }
        let listed = try await pair.alice.ask([ListedDevice].self, "block", "--list")
        #expect(listed == [ListedDevice(device: bob, name: "bob", list: .blocked)])
        let unblocked = try await pair.alice.run("unblock", "bob")
        #expect(unblocked.text == "No device is blocked.\n", "\(unblocked.errorText)")
        try await eventually("a link again") {
            try await pair.bob.ask(NodeStatus.self, "status").links == 1
        }
        await pair.end()
    }
}
