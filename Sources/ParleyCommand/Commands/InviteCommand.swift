import ArgumentParser
import Foundation
import ParleyAPI

/// `parley invite`.
struct InviteCommand: NodeRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "invite",
        abstract: "Print an invite, a link that lets others join.",
        discussion: """
            Everybody who has the link has its role, permanently. Pass it on with care.

              parley invite games
              parley invite games --role reader --qr

            With --for or --uses the link ends. It has no key: who joins asks this node, which \
            counts, so this node has to be up, in the same network. Who came by it stays.

              parley invite games --for 2h --uses 3
              parley invite list
              parley invite revoke 2

            A conversation that is called list or revoke is named with -c.
            """
    )
    @Argument(help: "The conversation (default: the only one), list, or revoke.") var name: String?
    @Argument(help: "The number of the invite to revoke.") var number: Int?
    @Option(name: .shortAndLong, help: "The conversation, whatever it is called.")
    var conversation: String?
    @Option(help: "The role that it gives: writer, reader or relay.") var role = RoleOption.writer
    @Option(
        name: .customLong("for"),
        help: "How long it lasts: 30m, 2h or 7d, from a minute to a year."
    )
    var time: TimeOption?
    @Option(help: "How many devices may come, 1 to 256.") var uses: UInt32?
    @Flag(help: "Show the link as a QR code too.") var qr = false
    @OptionGroup var common: CommonOptions

    private enum Task {
        case make(String?)
        case list
        case revoke(Int)
    }

    private var task: Task? {
        switch (name, number, conversation) {
        case (let name, nil, nil) where name != "list" && name != "revoke": .make(name)
        case (nil, nil, let name): .make(name)
        case ("list", nil, nil): .list
        case ("revoke", let number?, nil): .revoke(number)
        default: nil
        }
    }

    func validate() throws {
        switch task {
        case .make: break
        case .list, .revoke:
            guard role == .writer, time == nil, uses == nil, !qr else {
                throw ValidationError("--role, --for, --uses and --qr are for a new invite.")
            }
        case nil:
            throw ValidationError(
                name == "revoke"
                    ? "Which one? Its number is in: parley invite list"
                    : "Name one conversation, or: parley invite list, parley invite revoke NUMBER."
            )
        }
    }

    func run(_ client: ControlClient) async throws {
        switch task {
        case .list: try await list(client)
        case .revoke(let number): try await revoke(number, client)
        case .make(let name): try show(try await make(name, client))
        case nil: break
        }
    }

    // MARK: Making

    private func show(_ invite: Invite) throws {
        if common.json { return try Output.standard.document(invite) }
        if qr {
            for line in try QRText.lines(invite.link) { Output.standard.line(line) }
        }
        Output.standard.line(invite.link)
        guard let ending = invite.ending else { return }
        let end = ending.ends.map { "ends \($0.formatted(.iso8601))" } ?? "has no end in time"
        let devices = ending.uses == 1 ? "one device" : "\(ending.uses) devices"
        let words = "It is for \(devices) and \(end)."
        Output.error.line("Invite \(ending.number) works while this node is up. \(words)")
        Output.error.line("  " + common.command("invite revoke \(ending.number)"))
    }

    private func make(_ given: String?, _ client: ControlClient) async throws -> Invite {
        let name = try await ConversationOption.name(given, client)
        do {
            return try await client.post(
                PathText.conversation(name) + "/invites",
                InviteRequest(role: role.rawValue, seconds: time?.seconds, uses: uses),
                as: Invite.self
            )
        } catch var problem as Problem where problem.kind == .readOnly {
            let words = "invite \(ShellWord.quoted(name)) --role relay"
            problem.hint = "Readers and relays may invite relays: parley \(words)"
            throw problem
        }
    }

    // MARK: Listing and revoking

    private func list(_ client: ControlClient) async throws {
        let invites = try await client.get("invites", as: [InviteDetail].self)
        if common.json { return try Output.standard.document(invites) }
        guard !invites.isEmpty else {
            return Output.standard.line(
                "This node has no invites that end. Those with keys are not listed."
            )
        }
        var table = TextTable(["NUMBER", "CONVERSATION", "ROLE", "STATE", "LEFT", "ENDS", "CAME"])
        for invite in invites {
            let came = invite.came.map(\.name).joined(separator: ", ")
            table.add([
                String(invite.number), TerminalText.safe(invite.conversation),
                invite.role.rawValue,
                invite.state == .usedUp ? "used up" : invite.state.rawValue,
                "\(invite.uses - invite.came.count) of \(invite.uses)",
                invite.ends.map { $0.formatted(.iso8601) } ?? "–",
                TerminalText.fitted(TerminalText.safe(came.isEmpty ? "–" : came), columns: 40),
            ])
        }
        Output.standard.table(table)
    }

    private func revoke(_ number: Int, _ client: ControlClient) async throws {
        try await client.delete("invites/\(number)")
        if common.json { return try Output.standard.document(["revoked": number]) }
        Output.standard.line("Invite \(number) lets nobody in any more. Who came by it stays.")
    }
}

/// The role of an invite, as an option.
enum RoleOption: String, ExpressibleByArgument, CaseIterable {
    case writer
    case reader
    case relay
}

/// A time in minutes, hours or days, as an option.
struct TimeOption: ExpressibleByArgument {
    let seconds: UInt64

    private static let units: [Character: UInt64] = ["m": 60, "h": 3_600, "d": 86_400]

    init?(argument: String) {
        guard let unit = argument.last.flatMap({ Self.units[$0] }),
            let count = UInt64(argument.dropLast()), count > 0
        else { return nil }
        let (seconds, overflows) = count.multipliedReportingOverflow(by: unit)
        guard !overflows else { return nil }
        self.seconds = seconds
    }
}
