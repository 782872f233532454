import Foundation
import ParleyAPI
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct PersonTests {
    /// Yan is out of the conversation of ada, and stays in its own one, where ada only reads.
    @Test func aLostDeviceIsThrownOutOfWhatCanBe() async throws {
        let files = try TestDirectory()
        let ada = try await NodeProcess(data: files.path("ada"), name: "ada")
        let peers = [try await ada.address]
        let yan = try await NodeProcess(data: files.path("yan"), name: "yan", peers: peers)
        for (host, guest, name, role) in [
            (ada, yan, "games", "writer"), (yan, ada, "films", "reader"),
        ] {
            _ = try await host.ask(Conversation.self, "conversation", "create", name)
            let invite = try await host.ask(Invite.self, "invite", name, "--role", role)
            _ = try await guest.ask(Conversation.self, "join", invite.link)
            try await eventually("both in \(name)") {
                try await ada.ask([Member].self, "conversation", "members", name)
                    .count { $0.name == "yan" } == 1
            }
        }
        let silent = try await ada.run("person", "lost", "yan")
        #expect(silent.status == 64 && silent.errorText.contains("add --yes"))
        let unknown = try await ada.run("person", "lost", "nobody", "--yes")
        #expect(unknown.status == 65, "\(unknown.errorText)")
        #expect(unknown.errorText.contains("parley conversation members NAME"))
        let own = try await ada.run("person", "lost", "ada", "--yes")
        #expect(own.status == 65 && own.errorText.contains("That is this device"))

        let told = try await ada.run("person", "lost", "yan", "--yes")
        #expect(told.status == 77, "\(told.errorText)")
        let lines = told.text.split(separator: "\n")
        #expect(lines.count == 3, "\(told.text)")
        #expect(lines.contains { $0.hasPrefix("games ") && $0.contains("thrown out") })
        #expect(lines.contains { $0.hasPrefix("films ") && $0.contains("Only writers") })
        let members = try await ada.ask([Member].self, "conversation", "members", "games")
        #expect(members.map(\.name) == ["ada"])

        let again = try await ada.run("person", "lost", "yan", "--yes", "--json")
        #expect(again.status == 77 && again.errors.isEmpty, "\(again.errorText)")
        let lost = try again.document(LostDevice.self)
        #expect(lost.name == "yan" && lost.conversations.map(\.kind) == [.readOnly])
        for node in [ada, yan] { await node.end() }
    }
}
