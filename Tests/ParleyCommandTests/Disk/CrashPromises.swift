import Foundation
import ParleyAPI
import ParleyCore
import ParleyStore

/// What a node had acknowledged at moments of a recorded run, and whether files still have it.
struct CrashPromises: Sendable {
    /// The session of each message.
    let sessions: [String: SessionID]
    /// The device key, which must be the same once anything was acknowledged.
    let key: Data

    /// The acknowledged messages so far, the last one of each session.
    private(set) var messages: [SessionID: Dot] = [:]
    private(set) var conversations = 0

    init(of sent: [SentMessage], key: Data) {
        sessions = Dictionary(sent.map { ($0.id.description, $0.session) }) { $1 }
        self.key = key
    }

    /// Adds what the node has written to a socket.
    mutating func add(_ answer: Data) {
        let text = String(decoding: answer, as: UTF8.self)
        if text.contains("\"participants\""), text.contains(" 201 ") { conversations += 1 }
        for found in text.matches(of: #/"id":"([0-9a-f]{32}-[0-9]+)"/#) {
            let id = String(found.1)
            guard let session = sessions[id], let dot = Dot(id) else { continue }
            if let known = messages[session], known.sequence >= dot.sequence { continue }
            messages[session] = dot
        }
    }

    /// Opens the files as a node does, and throws if something acknowledged is not there.
    func check(_ path: String) throws {
        let directory = try DataDirectory(path: path)
        defer { directory.release() }
        let store = try SQLiteStore(in: directory)
        defer { store.close() }
        let recovered = try store.recover()
        // The directory has another inode, and a write that was cut off may look like damage.
        let damage = recovered.damage.first.filter { $0 != .moved && $0 != .logCut }
        guard damage.isEmpty else { throw Broken("damaged: \(damage)") }
        var last: [SessionID: UInt64] = [:]
        let lost = try store.recoverSessions { row in
            for head in row.heads {
                guard let session = sessions[head.dot.description] else { continue }
                last[session] = max(last[session] ?? 0, head.dot.sequence)
            }
        }
        guard lost.isEmpty else { throw Broken("damaged: \(lost.first)") }
        for (session, dot) in messages where last[session] ?? 0 < dot.sequence {
            throw Broken("lost: \(dot), there is \(last[session] ?? 0)")
        }
        guard recovered.recovery.conversations.count >= conversations else {
            throw Broken("lost: a conversation")
        }
        let kept = try? Data(contentsOf: URL(filePath: "\(path)/device.key"))
        guard kept == key || (kept == nil && conversations == 0) else {
            throw Broken("the device key is another one")
        }
    }
}
