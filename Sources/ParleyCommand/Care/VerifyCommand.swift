import ArgumentParser
import Foundation
import NIOCore
import ParleyAPI
import ParleyNode

/// `parley verify`.
struct VerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Check everything that a node has stored, and have damaged parts fetched again.",
        discussion: """
              parley verify
              parley verify games
              parley verify --repair
              runuser -u parley -- parley verify --data /var/lib/parley --json

            While the node runs or not, SQLite checks the file, and then the checksum of each row, \
            the certificates and signatures of all messages and the hashes of all pictures are \
            compared. Nothing is changed.

            With --repair the running node reads the damaged parts once more. Parts that are in \
            its memory are written again, and members send the others, which takes about a \
            minute for messages. A node that is started looks for damage and repairs it by \
            itself.

            The exit code is 0 if everything is sound or was repaired, and 65 if something is \
            damaged.
            """
    )
    @Argument(help: "The conversation (default: all, and what belongs to none).")
    var conversation: String?
    @Flag(help: "Have the running node get damaged parts again.") var repair = false
    @Option(
        help: ArgumentHelp("How long to wait for repairs, in seconds.", valueName: "s")
    )
    var wait = 120.0
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard wait >= 0, wait <= SendDocument.timeoutMax else {
            throw ValidationError(
                "--wait must be 0 to \(Int(SendDocument.timeoutMax)) seconds."
            )
        }
    }

    func run() async throws {
        let verification = DirectoryVerification(
            of: common.dataDirectory,
            conversation: conversation
        )
        let screen = ProgressLine("Verifying")
        let store = try await screen.during {
            try Problem.caring { () throws(CareError) in try verification.run() }
        } progress: {
            verification.progress
        }
        if let conversation, store.structure == nil, store.conversations.isEmpty {
            throw Problem(
                .unknownConversation,
                "There is no conversation \(conversation.quoted).",
                hint: "See: \(common.command("conversation list"))"
            )
        }
        if !common.json { show(store) }
        let left =
            repair && store.damage.contains(where: \.isFetchedAgain)
            ? try await repaired(store, verification) : nil
        if common.json { try Output.standard.document(VerifyDocument(store, left: left)) }
        try end(store, left: left)
    }

    // MARK: Repairing

    /// Has the node repair the damage, and waits for the result.
    ///
    /// - Returns: the parts that are still damaged.
    private func repaired(
        _ store: VerifiedStore,
        _ verification: DirectoryVerification
    ) async throws -> [FoundDamage] {
        let client = ControlClient(
            dataDirectory: common.dataDirectory,
            patience: Patience(seconds: common.seconds),
            origin: common.program.dataOrigin
        )
        do {
            let request = try JSON.encode(RepairRequest(store.damage))
            try await client.post("repairs", RequestBody(ByteBuffer(bytes: request))) { _ in }
        } catch let problem as Problem {
            throw problem.ofNode(data: common.data)
        }
        if Output.error.isTerminal {
            let seconds = Int(wait.rounded(.up))
            Output.error.line(
                Output.error.style(.dim, "Waiting for repairs, \(seconds) seconds at most …")
            )
        }
        let end = ContinuousClock.now + .seconds(wait)
        var left = store.damage
        var pause = Duration.milliseconds(100)
        repeat {
            try await Task.sleep(for: pause)
            let start = ContinuousClock.now
            left = try Problem.caring { () throws(CareError) in
                try verification.stillDamaged(of: left)
            }
            // Looking again takes at most a fifth of the time.
            pause = max(min(pause * 2, .seconds(2)), (ContinuousClock.now - start) * 4)
        } while left.contains(where: \.isFetchedAgain) && ContinuousClock.now < end
        return left
    }

    // MARK: Reporting

    private func show(_ store: VerifiedStore) {
        guard store.structure == nil else { return }
        let output = Output.standard
        var table = TextTable([
            "CONVERSATION", "SESSIONS", "MESSAGES", "PICTURES", "NOT HERE YET", "DAMAGED",
        ])
        for one in store.conversations {
            table.add([
                TerminalText.safe(one.name), "\(one.sessions)", "\(one.messages)",
                "\(one.pictures)", "\(one.missingPictures)",
                one.damaged == 0 ? "0" : output.style(.red, "\(one.damaged)"),
            ])
        }
        if !store.conversations.isEmpty { output.table(table) }
        guard !store.isSound else { return output.line("Everything is sound.") }
        for one in store.damage {
            let place = one.conversation.map { "\(TerminalText.safe($0)): " } ?? ""
            output.line("\(output.style(.red, "✗")) \(place)\(one.what): \(one.reason)")
            if let cure = one.cure { output.line("  → \(cure)") }
        }
        let more = store.damageCount - store.damage.count
        if more > 0 { output.line("… and \(more) more") }
    }

    /// Throws the problem that something is damaged, unless everything is sound by now.
    private func end(_ store: VerifiedStore, left: [FoundDamage]?) throws {
        if let structure = store.structure {
            throw Problem(
                .badInput,
                "The database is damaged as a whole: \(structure).",
                hint: "Stop the node and restore a backup, or move the directory away, start with "
                    + "an empty one and join the conversations again."
            )
        }
        guard let left else {
            guard !store.isSound else { return }
            let isFetchedAgain = store.damage.contains(where: \.isFetchedAgain)
            throw Problem(
                .badInput,
                "\(Self.parts(store.damageCount)) damaged.",
                hint: isFetchedAgain
                    ? "A running node gets them again from members: "
                        + common.command("verify --repair")
                    : "The node cannot get them again by itself."
            )
        }
        let unknown = store.damageCount - store.damage.count
        let count = left.count + unknown
        guard count > 0 else {
            if !common.json { Output.standard.line("All is repaired.") }
            return
        }
        throw Problem(
            .badInput,
            "\(Self.parts(count)) still damaged, and \(store.damage.count - left.count) repaired.",
            hint: unknown > 0
                ? "Only the first ones are repaired at a time: run the command again."
                : "A member that has them has to be linked, see: \(common.command("peers"))"
        )
    }

    private static func parts(_ count: Int) -> String {
        count == 1 ? "1 part is" : "\(count) parts are"
    }
}

extension FoundDamage {
    /// Whether a node gets the part again from memory or from members.
    fileprivate var isFetchedAgain: Bool {
        switch part {
        case .session, .picture: true
        case .proof, .record: false
        }
    }

    fileprivate var kind: String {
        switch part {
        case .session: "session"
        case .picture: "picture"
        case .proof: "proof"
        case .record(let table, _): table
        }
    }

    fileprivate var key: String {
        switch part {
        case .session(let row), .proof(let row): "\(row)"
        case .picture(let hash): hash
        case .record(_, let key): key
        }
    }

    fileprivate var what: String {
        switch part {
        case .session(let row), .proof(let row): "session in row \(row)"
        case .picture(let hash): "picture \(hash.prefix(16))"
        case .record("log", _): "the database's log"
        case .record(let table, let key): "row of \(table) \(TerminalText.safe(key))"
        }
    }

    /// The cure of damage that a node does not repair by itself; nil for other damage.
    fileprivate var cure: String? {
        switch part {
        case .session, .picture: nil
        case .proof:
            "The disk did not do that. Leave the conversation and join it again."
        case .record("conversation", _):
            "A node that runs still has it: make an invite there before the node stops."
        case .record("log", _): "Start the node: members send what they have."
        case .record("origin", _): "Leave the conversation and join it again."
        case .record: "The node goes on without it."
        }
    }
}

extension RepairRequest {
    fileprivate init(_ damage: [FoundDamage]) {
        self.init()
        for one in damage {
            switch one.part {
            case .session(let row): sessions.append(row)
            case .picture(let hash): pictures.append(hash)
            case .proof, .record: break
            }
        }
    }
}

/// The document of `verify --json`.
struct VerifyDocument: Codable, Hashable, Sendable {
    struct Conversation: Codable, Hashable, Sendable {
        var name: String
        var sessions: Int
        var messages: Int
        var pictures: Int
        var missingPictures: Int
        var damaged: Int
    }

    struct Damage: Codable, Hashable, Sendable {
        var conversation: String?
        /// `session`, `picture`, `proof`, or the table of another row.
        var kind: String
        /// The row of a session, the hash of a picture, or the key of another row.
        var key: String
        var reason: String
        /// Of `--repair`: whether the part is sound by now.
        var repaired: Bool?
    }

    /// Whether nothing was damaged.
    var sound: Bool
    /// SQLite's finding of a damaged structure; absent if sound.
    var structure: String?
    var conversations: [Conversation]
    /// The number of damaged parts; `damage` has the first ones.
    var damaged: Int
    var damage: [Damage]

    init(_ store: VerifiedStore, left: [FoundDamage]?) {
        sound = store.isSound
        structure = store.structure
        conversations = store.conversations.map {
            Conversation(
                name: $0.name,
                sessions: $0.sessions,
                messages: $0.messages,
                pictures: $0.pictures,
                missingPictures: $0.missingPictures,
                damaged: $0.damaged
            )
        }
        damaged = store.damageCount
        let still = left.map { Set($0.map { $0.kind + $0.key }) }
        damage = store.damage.map { one in
            Damage(
                conversation: one.conversation,
                kind: one.kind,
                key: one.key,
                reason: one.reason,
                repaired: still.map { !$0.contains(one.kind + one.key) }
            )
        }
    }
}
