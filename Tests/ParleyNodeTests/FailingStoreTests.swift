import Foundation
import ParleyNode
import TestSupport
import Testing

/// While commits fail, everybody is told why, and not only the one who noticed first.
@Suite(.timeLimit(.minutes(5)))
struct FailingStoreTests {
    /// Regression: from the second message on, the reason was a full disk.
    @Test func theReasonIsGivenEachTime() async throws {
        let nodes = try TestNodes()
        let (node, _) = try await nodes.startWithMessage()
        let lock = try DatabaseLock(nodes.database(of: "one"))
        for number in 1...3 {
            let error = await #expect(throws: NodeError.self) {
                _ = try await node.send(Draft("?\(number)"), to: "games")
            }
            guard case .storeFailed(let reason) = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
            #expect(reason.contains("locked by another program"))
        }
        lock.release()
        try await eventually("commits") { try await node.status().store.state == .ok }
        _ = try await node.send(Draft("?4"), to: "games")
        await nodes.stopAll()
    }
}
