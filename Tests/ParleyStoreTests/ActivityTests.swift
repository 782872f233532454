import Foundation
import ParleyCore
import ParleyStore
import Testing

/// A store knows when something of a conversation was stored last, also after a restart.
@Suite struct ActivityTests {
    @Test func theLastActivityIsKept() throws {
        let scratch = try Scratch()
        let begin = Int64(Date().timeIntervalSince1970)
        let first = try scratch.open()
        let records = (UInt32(1)...3).map { StoreWrite.conversation(Values.conversation($0)) }
        _ = try first.store.commit(records)
        _ = try first.store.commit(
            [1, 2].map { .session(Values.session(Int64($0), of: $0, heads: [])) }
        )
        let moments = (UInt32(1)...3).map { first.store.lastActivity(of: $0) }
        #expect(moments[0].map { $0 >= begin } == true)
        #expect(moments[1] == moments[0])
        #expect(moments[2] == nil)
        first.close()

        let second = try scratch.open()
        #expect(second.store.lastActivity(of: 1) == nil)
        _ = try second.store.recover()
        #expect((UInt32(1)...3).map { second.store.lastActivity(of: $0) } == moments)
        _ = try second.store.commit([.conversationLeft(1)])
        #expect(second.store.lastActivity(of: 1) == nil)
        second.close()

        let third = try scratch.open()
        _ = try third.store.recover()
        #expect((UInt32(1)...3).map { third.store.lastActivity(of: $0) } == [nil, moments[1], nil])
        third.close()
    }
}
