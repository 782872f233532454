import ArgumentParser
import ParleyAPI

/// `parley person`.
struct PersonCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "person",
        abstract: "Link, list and remove your devices.",
        subcommands: [Link.self, Show.self, Lost.self],
        defaultSubcommand: Show.self
    )

    /// `parley person lost`.
    struct Lost: NodeRequestCommand {
        static let configuration = CommandConfiguration(
            abstract: "Throw a lost device out of all conversations of this node.",
            discussion: """
                  parley person lost phone

                The keys of each conversation with the device are changed without it, as parley \
                conversation rotate does for one. If it is your own, those of all your \
                conversations are, as it may have invites that it has not used. The command \
                shows what will happen before it asks. It lists each conversation where the \
                device has to stay, with the reason, and the exit code is not 0 then.

                Members who are away get the new keys when they are back; all invites to these \
                conversations end. What the device has read stays read, and its own files stay \
                readable to whoever holds it.

                Another device of yours that was away may have shared a conversation with the lost \
                one meanwhile: give the command again once your devices are linked again.

                A thief with the unlocked device of the creator of a conversation is the creator, \
                and can undo this there: begin a new conversation.
                """
        )
        @Argument(help: "A member, or a device of yours, by name or the beginning of its ID.")
        var device: String
        @Flag(help: "Do not ask.") var yes = false
        @OptionGroup var common: CommonOptions

        func run(_ client: ControlClient) async throws {
            var request = LostRequest(device: device)
            if !yes { request.device = try await agreed(client) }
            let lost = try await client.post("person/lost", request, as: LostDevice.self)
            if common.json {
                try Output.standard.document(lost)
            } else {
                table(of: lost, "thrown out", "not done")
                if let person = lost.person {
                    let name = TerminalText.safe(person)
                    let line = "\(name) has a new key. If you have other devices, link them again:"
                    Output.standard.line(line)
                    Output.standard.line("  " + common.command("person link DEVICE"))
                }
            }
            try end(of: lost)
        }

        /// Shows what would be so, asks the person at the terminal, and returns the device ID.
        private func agreed(_ client: ControlClient) async throws -> String {
            try KeysQuestion.check(common)
            let request = LostRequest(device: device, dryRun: true)
            let expected = try await client.post("person/lost", request, as: LostDevice.self)
            table(of: expected, "will be out", "not possible")
            let isAnything = expected.conversations.contains(where: \.isOut)
            if !isAnything, expected.person == nil { try end(of: expected) }
            if let person = expected.person {
                let name = TerminalText.safe(person)
                let line = "\(name) gets a new key. You then link your other devices again."
                Output.standard.line(line)
            }
            let short = expected.device.prefix(7)
            let name = expected.name.map { "\(TerminalText.safe($0)) (\(short))" } ?? "\(short)"
            try KeysQuestion.ask("Throw \(name) out?")
            return expected.device
        }

        private func table(of lost: LostDevice, _ out: String, _ stays: String) {
            var table = TextTable(["CONVERSATION", "RESULT", "NOTE"])
            for place in lost.conversations {
                let note = [place.message, place.hint].compactMap(\.self).joined(separator: " ")
                let result =
                    switch place.kind {
                    case .undoable: "can undo it"
                    case .alone: "waits for others"
                    default: place.isOut ? out : stays
                    }
                table.add([
                    TerminalText.safe(place.conversation), result, TerminalText.safe(note),
                ])
            }
            Output.standard.table(table)
        }

        /// Ends the command with an exit code if the device is in a conversation still; that of a
        /// disk failure comes first.
        private func end(of lost: LostDevice) throws {
            let kinds = lost.conversations.map(\.kind).filter { $0 != .out }
            guard !kinds.isEmpty else { return }
            let isOfDisk = kinds.contains { [.storeFull, .storeFailed].contains($0) }
            throw ExitCode((isOfDisk ? ExitStatus.inputOutput : .refused).rawValue)
        }
    }
}
