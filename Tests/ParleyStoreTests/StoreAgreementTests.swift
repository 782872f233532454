import ParleyCore
import ParleyStore
import TestSupport
import Testing

/// The same random writes have the same effect in every store and in every grouping.
@Suite struct StoreAgreementTests {
    /// The SQLite store and the in-memory store agree after every restart, and so does an SQLite
    /// store that receives several tickets at once, merged.
    @Test(arguments: 0..<UInt64(60))
    func storesAgree(seed: UInt64) throws {
        var source = RandomWrites(seed: seed)
        var random = SeededRandom(seed: ~seed)
        let memory = try Restartable(.memory)
        let merged = try Restartable(.memory)
        let sqlite = try Restartable(.sqlite)
        for round in 0..<12 {
            var batch = WriteBatch()
            for _ in 0..<Int.random(in: 1...12, using: &random) {
                let ticket = source.ticket()
                try memory.commitAll(ticket)
                for write in ticket { batch.add(write) }
            }
            #expect(batch.damage.isEmpty)
            try merged.commitAll(batch.writes)
            try sqlite.commitAll(batch.writes)
            if round.isMultiple(of: 3) { try sqlite.restart() }
            let expected = try memory.contents()
            #expect(try merged.contents() == expected, "seed \(seed) round \(round)")
            #expect(try sqlite.contents() == expected, "seed \(seed) round \(round)")
        }
    }

    /// The SQLite store agrees on writes that were not merged, too.
    @Test(arguments: 100..<UInt64(120))
    func singleTicketsAgree(seed: UInt64) throws {
        var source = RandomWrites(seed: seed)
        let memory = try Restartable(.memory)
        let sqlite = try Restartable(.sqlite)
        for _ in 0..<40 {
            let ticket = source.ticket()
            try memory.commitAll(ticket)
            try sqlite.commitAll(ticket)
        }
        try sqlite.restart()
        #expect(try sqlite.contents() == memory.contents(), "seed \(seed)")
    }
}
