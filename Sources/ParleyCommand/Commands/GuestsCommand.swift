import ArgumentParser
import Foundation
import ParleyAPI

/// `parley guests`.
struct GuestsCommand: NodeRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "guests",
        abstract: "Let people with phones take part in a conversation, without a node.",
        discussion: """
            Prints links and a QR code. Whoever opens one in a browser of this network gives a \
            name, and writes as a guest of this node: in this conversation only, and without the \
            right to invite. The link stays good until --close. The pages are not encrypted, and \
            this machine can read what guests write.

              parley guests games
              parley guests games --seats 4 --json
              parley guests games --list
              parley guests games --remove Mia
            """
    )
    @Argument(help: "The conversation.") var name: String
    @Option(help: "The most guests, 1 to 64 (at first 16).") var seats: Int?
    @Flag(help: "List who is inside, and change nothing.") var list = false
    @Flag(help: "Follow who comes and goes, until Ctrl-C.") var watch = false
    @Option(help: "Take the seat from this guest, whose messages stay.") var remove: String?
    @Flag(help: "Let nobody else in for now; those inside stay.") var lock = false
    @Flag(help: "Let guests in again.") var unlock = false
    @Flag(help: "Make the links void; those inside stay.") var close = false
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard [list, remove != nil, lock, unlock, close].count(where: \.self) <= 1 else {
            throw ValidationError(
                "Only one of --list, --remove, --lock, --unlock and --close is possible."
            )
        }
        guard seats == nil || !(list || remove != nil || close) else {
            throw ValidationError("--seats goes with opening, --lock and --unlock only.")
        }
        guard !watch || !common.json else {
            throw ValidationError("--watch is for people; with --json, ask again with --list.")
        }
    }

    func run(_ client: ControlClient) async throws {
        let document = try await ask(client)
        if common.json { return try Output.standard.document(document) }
        if list || remove != nil || close {
            show(document)
        } else {
            try announce(document)
        }
        if watch { try await follow(document, client) }
    }

    // MARK: Requests

    private var path: String { PathText.conversation(name) + "/guests" }

    private func ask(_ client: ControlClient) async throws -> GuestsDocument {
        if close {
            try await client.delete(path)
        } else if let remove {
            let present = try await client.get(path, as: GuestsDocument.self)
            let guest = try guest(called: remove, among: present.guests)
            try await client.delete(path + "/\(guest.seat)")
        } else if !list {
            let request = GuestsRequest(seats: seats, locked: lock ? true : unlock ? false : nil)
            return try await client.post(path, request, as: GuestsDocument.self)
        }
        return try await client.get(path, as: GuestsDocument.self)
    }

    private func guest(
        called word: String,
        among guests: [GuestDocument]
    ) throws -> GuestDocument {
        let found = guests.filter {
            $0.name.lowercased() == word.lowercased() || "\($0.seat)" == word
        }
        if let one = found.first { return one }
        let names = guests.map { TerminalText.safe($0.name) }.joined(separator: ", ")
        throw Problem(
            .unknownGuest,
            "There is no guest called \(TerminalText.safe(word)).",
            hint: names.isEmpty ? "There are no guests here." : "There are: \(names)."
        )
    }

    // MARK: Output

    private func announce(_ document: GuestsDocument) throws {
        let output = Output.standard
        if let first = document.links.first {
            if output.isTerminal, !document.locked {
                for line in try QRText.lines(first) { output.line(line) }
            }
            output.line("Scan the code with a phone of this network, or open:")
            for link in document.links { output.line("  " + link) }
        }
        output.line(
            document.locked
                ? "Nobody else is let in: \(common.command("guests \(word) --unlock"))"
                : "To end it: \(common.command("guests \(word) --close"))"
        )
        if document.links.allSatisfy({ $0.contains("//127.") }) {
            output.line("This machine has no address in a network, so only its browsers can come.")
        }
        show(document)
    }

    private var word: String { ShellWord.quoted(name) }

    private func show(_ document: GuestsDocument) {
        let output = Output.standard
        let taken = "\(document.guests.count) of \(document.seats) seats are taken"
        output.line(document.open ? taken + "." : "Closed to new guests; \(taken).")
        guard !document.guests.isEmpty else { return }
        var table = TextTable(["SEAT", "NAME", "NOW", "DIGITS"])
        for guest in document.guests {
            let state = guest.present ? "here" : "away"
            table.add(["\(guest.seat)", TerminalText.safe(guest.name), state, guest.digits])
        }
        for line in table.lines { output.line(line) }
    }

    /// Prints a line for each guest who comes, goes, returns or loses the seat.
    private func follow(_ first: GuestsDocument, _ client: ControlClient) async throws {
        var known = first.guests
        while true {
            try await Task.sleep(for: .seconds(1))
            let present = try await client.get(path, as: GuestsDocument.self).guests
            for line in GuestLines.changes(from: known, to: present) { Output.standard.line(line) }
            known = present
        }
    }
}
