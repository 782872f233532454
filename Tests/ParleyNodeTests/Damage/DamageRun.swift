import Foundation
import ParleyNode
import TestSupport

/// Five linked nodes that know the same messages, one of which is damaged at a time.
final class DamageRun {
    private static let names = ["a", "b", "c", "d", "e"]
    private static let conversation = "games"

    private let nodes: TestNodes
    private var random: SeededRandom
    private var running: [Node] = []
    private var addresses: [String] = []
    /// The sessions, the first of which have pictures.
    private let sessions = (0..<16).map { _ in SessionID() }
    private let pictures: Int
    /// What people tried to send, by its URL, and the URL of each message.
    private var tried: [String: Shown] = [:]
    private var sent: [MessageID: String] = [:]
    /// The message that each session shows.
    private var latest: [SessionID: MessageID] = [:]
    /// The URLs of which nobody knows whether they were sent, as the node failed meanwhile.
    private var doubtful: Set<String> = []
    private var round = 0
    private var outcomes: [String: Int] = [:]
    private(set) var problems: [String] = []
    private var slowest = Duration.zero

    private struct Shown {
        let caption: String?
        let picture: Data?
    }

    init(seed: UInt64) async throws {
        random = SeededRandom(seed: seed)
        pictures = 3
        nodes = try TestNodes()
        for name in Self.names {
            let (node, address) = try await nodes.start(name, peers: addresses)
            if let first = running.first {
                let invite = try await first.invite(to: Self.conversation).link
                _ = try await node.join(invite)
            } else {
                _ = try await node.createConversation(named: Self.conversation)
            }
            running.append(node)
            addresses.append(address)
        }
        for session in sessions.indices { try await send(from: session % 5, session: session) }
        try await settle()
    }

    func end() async { await nodes.stopAll() }

    var summary: String {
        let counts = outcomes.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
        return "damage: \(round) rounds, \(sent.count) messages: "
            + "\(counts.joined(separator: ", ")); slowest repair \(slowest)"
    }

    // MARK: A round

    /// Damages one node, in a way that the seed determines, and checks all.
    func damage() async {
        round += 1
        let victim = Int.random(in: 0..<5, using: &random)
        let moment = DamageMoment.allCases.randomElement(using: &random) ?? .killed
        let path = nodes.database(of: Self.names[victim])
        var what = "round \(round), node \(Self.names[victim]), \(moment)"
        do {
            let sound = try FilesOfDatabase(at: path)
            if moment != .running { await running[victim].stop() }
            var files = moment == .killed ? sound : try FilesOfDatabase(at: path)
            let change = FileChange(of: files, isOpen: moment == .running, using: &random)
            what += ", \(change)"
            if moment == .running {
                try change.make(at: path)
                try await look(victim)
                await running[victim].stop()
            } else {
                change.make(in: &files)
                try files.write()
            }
            try await restart(victim, orRestore: sound, at: path)
            try await goOn(victim, orRestore: sound)
            try await leaveSound(victim, orRestore: sound)
        } catch {
            problems.append("\(what): \(error)")
        }
    }

    /// Uses a running node whose files have changed, as a person and an operator do.
    private func look(_ victim: Int) async throws {
        let node = running[victim]
        do {
            let found = try verification(of: victim).run()
            count(found.isSound ? "unseen by verify" : "seen by verify")
            try await node.repair(sessions: found.rows, pictures: found.pictures)
            try check(try await node.transcript(of: Self.conversation), of: victim)
            // Nobody else writes in this session, so a message that is in doubt has no rival.
            try await send(from: victim, session: 11 + victim)
        } catch is NodeError {
            count("said by the running node")
        } catch is CareError {
            count("said by verify")
        }
    }

    /// Starts a node; if it refuses, as its operator restores the files of before first.
    private func restart(
        _ victim: Int,
        orRestore sound: FilesOfDatabase,
        at path: String
    ) async throws {
        do throws(NodeError) {
            try await start(victim)
            count("started")
        } catch {
            guard case .dataDirectoryUnusable(_, let reason, _) = error else { throw error }
            count("refused")
            guard reason.contains(path) else { throw error }
            try sound.restore()
            try await start(victim)
        }
    }

    /// Waits until all show the same, before and after the node that was damaged sends; if it says
    /// that its store fails, it gets the files of before first.
    private func goOn(_ victim: Int, orRestore sound: FilesOfDatabase) async throws {
        do {
            try await settle()
            try await send(from: victim, session: .random(in: 0..<11, using: &random))
            try await settle()
        } catch is NodeError {
            count("failing after the start")
            try await restore(victim, sound)
        }
    }

    /// Verifies a node that goes on, as its operator does, and restores the files of before if
    /// damage is left: otherwise damage of several rounds comes together.
    private func leaveSound(_ victim: Int, orRestore sound: FilesOfDatabase) async throws {
        do throws(CareError) {
            guard try !verification(of: victim).run().isSound else { return }
        } catch {}
        count("left by the round")
        try await restore(victim, sound)
    }

    private func restore(_ victim: Int, _ sound: FilesOfDatabase) async throws {
        await running[victim].stop()
        try sound.restore()
        try await start(victim)
        try await settle()
    }

    private func verification(of victim: Int) -> DirectoryVerification {
        DirectoryVerification(of: nodes.root.appending(path: Self.names[victim]))
    }

    private func start(_ victim: Int) async throws(NodeError) {
        var others = addresses
        others.remove(at: victim)
        var settings = nodes.settings(Self.names[victim], peers: others)
        settings.listen = [addresses[victim]]
        let node = Node(settings)
        _ = try await node.start()
        nodes.keep(node)
        running[victim] = node
    }

    // MARK: Messages

    private func send(from node: Int, session: Int) async throws {
        var draft = Draft("?\(round)-\(tried.count)", session: sessions[session])
        draft.content.layout?.caption = String(repeating: "x", count: tried.count % 200)
        if session < pictures {
            let bytes = (0..<90_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ tried.count) }
            draft.picture = Picture(type: "image/png", bytes: Data(bytes))
        }
        let url = draft.content.url ?? ""
        tried[url] = Shown(
            caption: draft.content.layout?.caption,
            picture: draft.picture?.bytes
        )
        doubtful.insert(url)
        let message = try await running[node].send(draft, to: Self.conversation)
        doubtful.remove(url)
        guard sent[message.id] == nil else { throw WrongMessage(what: "a dot was given twice") }
        sent[message.id] = url
        latest[sessions[session]] = message.id
    }

    /// Waits until every node shows the latest message of each session, with its picture.
    private func settle() async throws {
        let begin = ContinuousClock.now
        defer { slowest = max(slowest, ContinuousClock.now - begin) }
        for node in running.indices {
            // A session that a disk lost comes back with an audit, within about a minute.
            try await eventually("the same at \(Self.names[node])", within: .seconds(120)) {
                let store = try await running[node].status().store
                guard store.state == .ok else { throw NodeError.storeFailed(store.detail ?? "") }
                let entries = try await running[node].transcript(of: Self.conversation)
                return try check(entries, of: node)
            }
            for session in sessions.prefix(pictures) {
                guard let id = latest[session], let bytes = sent[id].flatMap({ tried[$0] })?.picture
                else { continue }
                try await eventually("the picture at \(Self.names[node])") {
                    let found = try await running[node].pictureBytes(of: id, session: session)
                    guard found == nil || found == bytes else {
                        throw WrongMessage(what: "another picture")
                    }
                    return found != nil
                }
            }
        }
    }

    /// Whether these are the latest messages.
    ///
    /// - Throws: `WrongMessage` if one of them is not what its author sent.
    @discardableResult
    private func check(_ entries: [TranscriptEntry], of node: Int) throws -> Bool {
        var shown: [SessionID: MessageID] = [:]
        for message in entries.compactMap(\.message) {
            // A node that is getting the bytes again has no content meanwhile.
            guard let content = message.content else { continue }
            let url = content.url ?? ""
            if sent[message.id] == nil, doubtful.remove(url) != nil {
                sent[message.id] = url
                latest[message.session] = message.id
            }
            guard sent[message.id] == url, tried[url]?.caption == content.layout?.caption else {
                throw WrongMessage(what: "\(message.id) with \(url) at \(Self.names[node])")
            }
            shown[message.session] = message.id
        }
        return shown == latest
    }

    private func count(_ outcome: String) { outcomes[outcome, default: 0] += 1 }
}

/// A promise that was broken.
struct WrongMessage: Error {
    let what: String
}

extension VerifiedStore {
    fileprivate var rows: [Int64] {
        damage.compactMap { if case .session(let row) = $0.part { row } else { nil } }
    }

    fileprivate var pictures: [String] {
        damage.compactMap { if case .picture(let hash) = $0.part { hash } else { nil } }
    }
}
