import Foundation
import ParleyNode
import Testing

/// A program with a node of its own, by the public API: one of the clients of `make soak-lab`.
///
/// `PARLEY_SOAK` is the folder of all records, and `PARLEY_INVITE` an invite.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["PARLEY_SOAK"] != nil))
struct SoakClientTests {
    private struct Record: Encodable {
        var tried: String?
        var acked: MessageID?
        var session: String?
        var id: MessageID?
        var revision: UInt64?
        var token: String?
        var state: [String: String]?
        var others: [String: [String]]?
    }

    /// The name of a session in the records of all clients.
    private static func name(of session: SessionID) -> String {
        session.uuid.uuidString.lowercased()
    }

    @Test func sendsAndReads() async throws {
        let environment = ProcessInfo.processInfo.environment
        let folder = URL(filePath: try #require(environment["PARLEY_SOAK"]))
        let path = folder.appending(path: "swift.jsonl").path
        try #require(FileManager.default.createFile(atPath: path, contents: nil))
        let file = try #require(FileHandle(forWritingAtPath: path))
        func write(_ record: Record) throws {
            try file.write(contentsOf: JSONEncoder().encode(record) + [0x0A])
        }
        var settings = NodeSettings(dataDirectory: URL(filePath: "data"))
        settings.name = "sue"
        let node = Node(settings)
        _ = try await node.start()
        _ = try await node.join(try #require(environment["PARLEY_INVITE"]))
        print("ready")
        fflush(nil)
        let sessions = (0..<3).map { _ in SessionID() }
        var known: [SessionID: MessageID] = [:]
        for number in 1... {
            // The pace of somebody who plays; the lab ends the process.
            try await Task.sleep(for: .milliseconds(Int.random(in: 200...1_000)))
            let isQuiet = FileManager.default.fileExists(atPath: folder.path + "/quiet")
            if !isQuiet {
                let token = "soak-swift-\(number)"
                try write(Record(tried: token))
                let draft = Draft(token, session: sessions[number % sessions.count])
                let sent = try await node.send(draft, to: "games")
                try write(
                    Record(
                        acked: sent.id,
                        session: Self.name(of: sent.session),
                        revision: sent.revision,
                        token: token
                    )
                )
            }
            var shown: [String: String] = [:]
            for message in try await node.transcript(of: "games").compactMap(\.message) {
                shown[Self.name(of: message.session)] = message.id.description
                guard known.updateValue(message.id, forKey: message.session) != message.id else {
                    continue
                }
                try write(
                    Record(
                        session: Self.name(of: message.session),
                        id: message.id,
                        revision: message.revision,
                        token: message.content?.url ?? message.content?.layout?.caption ?? ""
                    )
                )
            }
            if isQuiet { try write(Record(state: shown, others: [:])) }
        }
    }
}
