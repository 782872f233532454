import Foundation
import ParleyNode
import Testing

/// What a pass over a database finds that no checksum of a row shows.
@Suite(.timeLimit(.minutes(5)))
struct VerificationTests {
    private func stopped(_ nodes: TestNodes) async throws -> DirectoryVerification {
        let (node, _) = try await nodes.start("one")
        _ = try await node.createConversation(named: "games")
        for url in ["?one", "?two"] { _ = try await node.send(Draft(url), to: "games") }
        await nodes.stopAll()
        return DirectoryVerification(of: nodes.root.appending(path: "one"))
    }

    /// The checksums are right, and the author has signed something else.
    @Test func messagesThatTheirAuthorDidNotSign() async throws {
        let nodes = try TestNodes()
        let verification = try await stopped(nodes)
        let sound = try verification.run()
        #expect(sound.isSound && sound.conversations.map(\.messages) == [2])
        try nodes.raiseRevisionsToTheLimit(of: "one")
        let store = try verification.run()
        #expect(store.conversations.map(\.damaged) == [2] && store.damageCount == 2)
        for damage in store.damage {
            guard case .proof = damage.part else {
                Issue.record("\(damage)")
                continue
            }
            #expect(damage.reason == "the signature of a message is not valid")
        }
        #expect(try verification.stillDamaged(of: store.damage).count == 2)
    }

    /// Each page of the file by itself, as SQLite keeps the schema, tables and indices in them.
    @Test func pagesThatAreEmpty() async throws {
        let nodes = try TestNodes()
        let verification = try await stopped(nodes)
        let file = URL(filePath: nodes.database(of: "one"))
        let whole = try Data(contentsOf: file)
        for page in 2..<8 {
            var contents = whole
            let bytes = page * 4_096..<(page + 1) * 4_096
            contents.replaceSubrange(bytes, with: Data(count: bytes.count))
            try contents.write(to: file)
            let store = try verification.run()
            #expect(store.structure?.isEmpty == false, "page \(page)")
        }
    }
}
