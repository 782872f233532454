import Foundation
import ParleyAPI
import ParleyCommand
import TestSupport
import Testing

/// The answers that an operator gets from a node fit together.
@Suite(.timeLimit(.minutes(5)))
struct OperatorTests {
    /// Regression: exit code 75 with `--json` had neither `id` nor `session`.
    @Test func aMessageThatIsNotYetDeliveredIsNamed() async throws {
        let directory = try TestDirectory()
        let node = try await NodeProcess(data: directory.path("node"))
        _ = try await node.ask(Conversation.self, "conversation", "create", "games")
        let sent = try await node.run(
            "send",
            "-c",
            "games",
            "--url",
            "?",
            "--wait",
            "delivered=1",
            "--timeout",
            "0.2",
            "--json"
        )
        #expect(sent.status == 75)
        let problem = try sent.problem()
        let session = try #require(problem.session)
        let shown = try await node.ask(SessionDetail.self, "show", session)
        #expect(shown.shown.id.description == problem.id)
        #expect(problem.hint.contains("through other nodes"))
        await #expect(node.end() == 0)
    }

    /// Regression: a message that was to reach nine nodes was "on 1 of 9 linked nodes", of which
    /// there was one.
    @Test func aMessageForMoreNodesThanAreLinkedSaysHowManyAre() async throws {
        let pair = try await NodePair()
        let first = ["send", "-c", "games", "--url", "?", "--wait"]
        let data = ["--data", pair.alice.data]
        let delivered = try await Program.run(first + ["delivered=1"] + data)
        #expect(delivered.status == 0, "\(delivered.errorText)")
        let more = first + ["delivered=9", "--timeout", "0.5"]
        let sent = try await Program.run(more + data)
        #expect(sent.status == 75)
        let count = #/on (1 other device|0 other devices), while 9 were asked for and 1 is linked/#
        #expect(sent.errorText.contains(count), "\(sent.errorText)")
        await pair.end()
    }

    /// Regression: 1,024 descriptors, the usual soft limit, were all that a node used.
    @Test(arguments: ["-Sn", "-n"])
    func theLimitOfDescriptorsIsRaised(option: String) async throws {
        let directory = try TestDirectory()
        let script = directory.path("few-descriptors")
        let pid = directory.path("pid")
        let text =
            "#!/bin/sh\necho $$ >\(pid)\nulimit \(option) 180\nexec '\(Program.url.path)' \"$@\"\n"
        try Data(text.utf8).write(to: URL(filePath: script))
        #expect(chmod(script, 0o700) == 0)
        let node = try await NodeProcess(
            data: directory.path("data"),
            program: URL(filePath: script)
        )
        let number = String(decoding: try directory.contents("pid"), as: UTF8.self)
        let path = "/proc/\(number.trimmingCharacters(in: .whitespacesAndNewlines))/limits"
        let limits = try String(contentsOfFile: path, encoding: .utf8)
        let line = try #require(limits.split(separator: "\n").first { $0.contains("open files") })
        let soft = try #require(line.split(separator: " ").compactMap { Int($0) }.first)
        let warning = "only 180 files and connections may be open, and up to 232 may be needed"
        #expect((soft > 180) == (option == "-Sn"), "\(line)")
        #expect(try await node.log.contains(warning) == (option == "-n"))
        await #expect(node.end() == 0)
    }

    /// Regression: a relay told people to start it without --no-web, which was not given.
    @Test func aNodeWithoutPageSaysWhy() async throws {
        let directory = try TestDirectory()
        let plain = try await NodeProcess(data: directory.path("plain"))
        let relay = try await NodeProcess(data: directory.path("relay"), more: ["--relay"])
        let one = try await plain.run("page")
        #expect(one.status == 77)
        #expect(one.errorText.contains("it was started with --no-web"))
        let other = try await relay.run("page")
        #expect(other.status == 77)
        #expect(other.errorText.contains("it is a relay"))
        #expect(other.errorText.contains("without --relay"))
        #expect(!other.errorText.contains("--no-web"))
        await #expect(plain.end() == 0)
        await #expect(relay.end() == 0)
    }

    /// Regression: where discovery did not run, `pair` and a list of devices did not say so, and
    /// nothing said how to start avahi-daemon.
    @Test func aNodeThatDoesNotLookForOthersSaysSo() async throws {
        let directory = try TestDirectory()
        let off = try await NodeProcess(data: directory.path("off"))
        let alone = try await NodeProcess(
            data: directory.path("alone"),
            peers: [try await off.address],
            usesDiscovery: true,
            environment: ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\(directory.path("no-bus"))"]
        )
        let start = "sudo systemctl start avahi-daemon"
        try await eventually("the line of the log") { try await alone.log.contains(start) }
        for arguments in [["nearby"], ["pair", "nobody"]] {
            let ofOff = try await Program.run(arguments + ["--data", off.data])
            #expect((ofOff.text + ofOff.errorText).contains("discovery is off"))
            #expect((ofOff.text + ofOff.errorText).contains("--no-discovery"))
            let ofAlone = try await Program.run(arguments + ["--data", alone.data])
            #expect((ofAlone.text + ofAlone.errorText).contains("it is waiting for"))
            #expect((ofAlone.text + ofAlone.errorText).contains(start))
        }
        await #expect(alone.end() == 0)
        await #expect(off.end() == 0)
    }

    /// Regression: a member that had dialled this node and was gone was not listed: "No peers yet".
    @Test func aMemberThatIsAwayIsAPeer() async throws {
        let pair = try await NodePair()
        try await eventually("a link") {
            try await pair.alice.run("peers").text.contains("connected")
        }
        await #expect(pair.bob.end() == 0)
        let row = #/bob +lastSeen +– +– +0 B +games +[A-Z2-7]{8}\n/#
        try await eventually("the end of the link") {
            try await pair.alice.run("peers").text.contains(row)
        }
        await #expect(pair.alice.end() == 0)
    }

    /// Regression: `leave` threw away acknowledged messages that nobody else had, without a word.
    @Test func leavingAsksBeforeItLosesMessages() async throws {
        let pair = try await NodePair()
        await #expect(pair.bob.end() == 0)
        for url in ["?1", "?2", "?3"] {
            _ = try await pair.alice.ask(SentMessage.self, "send", "-c", "games", "--url", url)
        }
        let refused = try await pair.alice.run("conversation", "leave", "games")
        #expect(refused.status == 77)
        #expect(refused.errorText.contains("3 messages"))
        #expect(refused.errorText.contains("--force"))
        #expect(try await pair.alice.transcript().count == 3)
        let left = try await pair.alice.run("conversation", "leave", "games", "--force")
        #expect(left.status == 0, "\(left.errorText)")
        await #expect(pair.alice.end() == 0)
    }

    /// A message that another node has confirmed is not lost, so that `leave` asks nothing.
    @Test func leavingAsksNothingIfOthersHaveEverything() async throws {
        let pair = try await NodePair()
        let sent = try await pair.alice.run(
            "send",
            "-c",
            "games",
            "--url",
            "?1",
            "--wait",
            "delivered=1"
        )
        #expect(sent.status == 0, "\(sent.errorText)")
        let left = try await pair.alice.run("conversation", "leave", "games")
        #expect(left.status == 0, "\(left.errorText)")
        #expect(try await pair.bob.transcript().count == 1)
        await pair.end()
    }

    /// Regression: no command saved a picture.
    @Test func aPictureIsSaved() async throws {
        let pair = try await NodePair()
        let files = try TestDirectory()
        let picture = DemoBoard().picture
        let sent = try await pair.alice.ask(
            SentMessage.self,
            "send",
            "-c",
            "games",
            "--image",
            try files.write("board.png", picture)
        )
        let saved = try await eventually("the picture") {
            let saved = try await pair.bob.run(
                "picture",
                "\(sent.session)",
                "--save",
                files.path("saved.png"),
                "--json"
            )
            return saved.status == 0 ? saved : nil
        }
        #expect(try files.contents("saved.png") == picture)
        let document = try JSONDecoder().decode([String: Text].self, from: saved.output)
        #expect(document["session"]?.text == "\(sent.session)")
        #expect(document["id"]?.text == "\(sent.id)")
        #expect(document["type"]?.text == "image/png")
        let piped = try await pair.bob.run("picture", "\(sent.session)", "--save", "-")
        #expect(piped.output == picture)

        let bare = try await pair.bob.ask(SentMessage.self, "send", "-c", "games", "--url", "?")
        let none = try await pair.bob.run(
            "picture",
            "\(bare.session)",
            "--save",
            "-",
            "--message",
            "x"
        )
        #expect(none.status == 65)
        let without = try await pair.bob.run(
            "picture",
            "\(bare.session)",
            "--save",
            files.path("none"),
            "--json"
        )
        #expect(without.status == 65)
        #expect(try without.problem().id == bare.id.description)
        let nowhere = try await pair.bob.run(
            "picture",
            "\(sent.session)",
            "--save",
            files.path("no/such/folder"),
            "--json"
        )
        #expect(nowhere.status == 74)
        #expect(try nowhere.problem().session == "\(sent.session)")
        await pair.end()
    }

    /// Regression: `conflicts` had no `-c`, and said that there were none where it could not read.
    @Test func conflictsAreThoseOfAConversationThatCanBeRead() async throws {
        let directory = try TestDirectory()
        let alice = try await NodeProcess(data: directory.path("alice"))
        let relay = try await NodeProcess(data: directory.path("relay"), more: ["--relay"])
        _ = try await alice.ask(Conversation.self, "conversation", "create", "games")
        // Regression: a relay was told to create a conversation, which it refuses.
        let empty = try await relay.run("conversation", "list")
        #expect(empty.text.contains("parley join -") && !empty.text.contains("create"))
        let invite = try await alice.ask(Invite.self, "invite", "games", "--role", "relay")
        _ = try await relay.ask(Conversation.self, "join", invite.link)
        #expect(try await alice.run("conflicts").text == "No conflicts.\n")
        #expect(try await alice.run("conflicts", "-c", "games").text == "No conflicts.\n")
        #expect(try await alice.run("conflicts", "-c", "nope").status == 65)
        let all = try await relay.run("conflicts")
        #expect(all.status == 0)
        #expect(all.text.contains("relays games and cannot read"))
        let one = try await relay.run("conflicts", "-c", "games", "--json")
        #expect(one.status == 77)
        #expect(try one.problem().kind == .unreadable)
        // Regression: the first line of the export was written before the refusal.
        let export = try await relay.run("export", "games")
        #expect(export.status == 77 && export.output.isEmpty)
        let further = try await relay.run("invite", "games")
        #expect(further.status == 77 && further.errorText.contains("invite games --role relay"))
        let sent = try await relay.run("send", "-c", "games", "--url", "?", "--json")
        #expect(sent.status == 77)
        #expect(try !sent.problem().hint.contains("join"))
        await #expect(relay.end() == 0)
        await #expect(alice.end() == 0)
    }

    /// Regression: `history` ended at 16 without a word.
    @Test func historySaysWhereItEnds() async throws {
        let directory = try TestDirectory()
        let node = try await NodeProcess(data: directory.path("node"))
        _ = try await node.ask(Conversation.self, "conversation", "create", "games")
        let session = UUID().uuidString
        let lines = (1...18).map { #"{"url":"?\#($0)","session":"\#(session)"}"# }
        for count in [16, 18] {
            let part = count == 16 ? lines.prefix(16) : lines.suffix(2)
            let sent = try await node.run(
                "send",
                "-c",
                "games",
                "--batch",
                "-",
                input: Data(part.joined(separator: "\n").utf8)
            )
            #expect(sent.status == 0, "\(sent.errorText)")
            let history = try await node.run("history", session)
            #expect(history.text.contains("earlier ones are gone") == (count == 18), "\(count)")
        }
        await #expect(node.end() == 0)
    }

    /// Regression: `peers` had another short form of an ID than the log, most lines of the log had
    /// no name, and the round trip time was unknown unless this node had sent a ping.
    @Test func peersAndLogNameADeviceAlike() async throws {
        let pair = try await NodePair()
        for (node, other, name) in [(pair.alice, pair.bob, "bob"), (pair.bob, pair.alice, "alice")]
        {
            let device = try #require(await other.ready?.device)
            let short = DeviceText.short(device)
            #expect(short.count == 8)
            let linked = try await eventually("the link") {
                let peers = try await node.ask([Peer].self, "peers")
                return peers.first { $0.state == .connected }
            }
            #expect(try #require(linked.rttMs) > 0)
            let text = try await node.run("peers").text
            #expect(text.contains(short))
            #expect(text.contains(" ms"))
            let line = try await eventually("the line of the log") {
                try await node.log.split(separator: "\n").first {
                    $0.contains("shares a conversation")
                }
            }
            #expect(line.contains("peer=\(short)"), "\(line)")
            #expect(line.contains(#"name="\#(name)""#), "\(line)")
            #expect(line.contains("games"), "\(line)")
            #expect(try await other.run("status").text.contains("(\(short) in logs)"))
        }
        await pair.end()
    }
}

/// A text or a number of a JSON object.
private struct Text: Decodable {
    let text: String

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        text = try (try? container.decode(String.self)) ?? "\(container.decode(Int.self))"
    }
}
