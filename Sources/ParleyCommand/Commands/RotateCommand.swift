import ArgumentParser
import Foundation
import ParleyAPI

extension ConversationCommand {
    /// `parley conversation members`.
    struct Members: NodeRequestCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the members of a conversation and who let them in.",
            discussion: """
                These are the members whose role this node has seen proven: devices that have \
                written, and devices that were linked to this node. They stay when the keys are \
                changed, but for those that parley conversation rotate throws out.

                HIGHER says who stands above this device, closer to the creator: who is thrown out \
                by somebody below can undo that.
                """
        )
        @Argument(help: "The conversation (default: the only one).") var name: String?
        @OptionGroup var common: CommonOptions

        func run(_ client: ControlClient) async throws {
            let name = try await ConversationOption.name(self.name, client)
            let members = try await client.members(of: name)
            if common.json { return try Output.standard.document(members) }
            Output.standard.table(MemberTable.table(members))
        }
    }

    /// `parley conversation rotate`.
    struct Rotate: NodeRequestCommand {
        static let configuration = CommandConfiguration(
            abstract: "Change the keys of a conversation, and throw devices out.",
            discussion: """
                Who stays gets the new keys at once, or when it is back. Who is out reads and \
                writes nothing new; what it has read, and what it wrote before, stays. All invites \
                end, as they have the old keys.

                  parley conversation rotate games --without yan
                  parley conversation rotate games

                The command shows who stays before it asks. A device that this node does not know \
                is out as well, and needs a new invite: see parley conversation members. A device \
                of yours that goes is linked no more: see parley person link.
                """
        )
        @Argument(help: "The conversation (default: the only one).") var name: String?
        @Option(
            help: ArgumentHelp(
                "A member that is to be out, by name or the beginning of its ID; may be repeated.",
                valueName: "device"
            )
        )
        var without: [String] = []
        @Flag(help: "Do not ask.") var yes = false
        @OptionGroup var common: CommonOptions

        func run(_ client: ControlClient) async throws {
            let name = try await ConversationOption.name(self.name, client)
            var request = KeysRequest(without: without)
            if !yes { request.without = try await agreed(name, client) }
            let change = try await client.change(name, request)
            if common.json { return try Output.standard.document(change) }
            let count = change.stays.count == 1 ? "1 member" : "\(change.stays.count) members"
            let gone = change.goes.map(MemberTable.name).joined(separator: ", ")
            Output.standard.line(
                "\(TerminalText.safe(change.conversation)) has new keys (\(change.generation)), "
                    + "for \(count)\(gone.isEmpty ? "" : ", without \(gone)"). Invite others with:"
            )
            let words = "invite \(ShellWord.quoted(change.conversation))"
            Output.standard.line("  " + common.command(words))
        }

        /// Shows who would stay, asks the person at the terminal, and returns the IDs of who goes.
        private func agreed(_ name: String, _ client: ControlClient) async throws -> [String] {
            try KeysQuestion.check(common)
            let request = KeysRequest(without: without, dryRun: true)
            let expected = try await client.change(name, request)
            Output.standard.table(MemberTable.table(expected.stays))
            for member in expected.goes where member.standsHigher {
                let words = "stands above you and can undo this"
                Output.standard.line("\(MemberTable.name(member)) \(words).")
            }
            let names = expected.goes.map(MemberTable.name).joined(separator: ", ")
            let question =
                names.isEmpty ? "New keys for all of these?" : "These stay; \(names) out?"
            try KeysQuestion.ask(question)
            return expected.goes.map(\.device)
        }
    }
}

/// The question to a person at the terminal before keys are changed.
enum KeysQuestion {
    /// Refuses a command without a terminal at which somebody could be asked.
    static func check(_ common: CommonOptions) throws {
        if isatty(STDIN_FILENO) == 1, !common.json { return }
        throw Problem(
            .usage,
            "Changing keys asks first, and there is nobody to ask.",
            hint: "Look at parley conversation members, then add --yes."
        )
    }

    /// Asks; any answer but yes ends the command.
    static func ask(_ question: String) throws {
        Output.standard.bytes(Data("\(question) [y/N] ".utf8))
        guard ["y", "yes"].contains((readLine() ?? "").lowercased()) else {
            throw Problem(.refused, "The keys are as they were.")
        }
    }
}

/// The members of a conversation for people.
private enum MemberTable {
    static func name(_ member: Member) -> String {
        TerminalText.safe(member.name ?? String(member.device.prefix(7)))
    }

    static func table(_ members: [Member]) -> TextTable {
        var table = TextTable(["NAME", "ROLE", "INVITED BY", "HIGHER", "DEVICE"])
        for member in members {
            table.add([
                name(member) + (member.isOwn ? " (this device)" : ""), member.role.rawValue,
                member.invitedBy.map(TerminalText.safe) ?? "–", member.standsHigher ? "yes" : "",
                String(member.device.prefix(15)),
            ])
        }
        return table
    }
}

extension ControlClient {
    fileprivate func members(of name: String) async throws -> [Member] {
        try await get(PathText.conversation(name) + "/members", as: [Member].self)
    }

    fileprivate func change(_ name: String, _ request: KeysRequest) async throws -> KeyChange {
        try await post(PathText.conversation(name) + "/keys", request, as: KeyChange.self)
    }
}
