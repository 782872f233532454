import Dispatch
import Foundation
import ParleyCore
import ParleyStore
import Synchronization
import Testing

/// Acknowledged commits survive the sudden death of the process.
@Suite(.timeLimit(.minutes(5))) struct DurabilityTests {
    /// A process commits as fast as it can, records the acknowledged tickets, and kills itself
    /// while the next commit runs.
    ///
    /// Several such processes run one after another on one directory.
    @Test func nothingAcknowledgedIsMissingAfterAKill() async throws {
        let scratch = try Scratch()
        var acknowledged: UInt64 = 0
        for life in UInt64(1)...6 {
            let path = scratch.path
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [path = path as String, life = life as UInt64] in
                try Life(path: path, number: life).run(until: 20 * life)
            }
            let lines = try String(contentsOfFile: path + "/acknowledged", encoding: .utf8)
            let tickets = lines.split(separator: "\n").compactMap { UInt64($0) }
            let last = try #require(tickets.last)
            #expect(last > acknowledged, "life \(life) acknowledged nothing")
            acknowledged = last
            try expectAll(through: acknowledged, in: scratch)
        }
    }

    private func expectAll(through ticket: UInt64, in scratch: Scratch) throws {
        let opened = try scratch.open()
        defer { opened.close() }
        var heads: [Int64: StoredHead] = [:]
        let damage = try opened.store.recoverSessions { heads[$0.row] = $0.heads.first }
        #expect(damage.isEmpty)
        for number in 1...ticket {
            let row = Int64(number % Life.rows)
            let sequence = try #require(heads[row]?.dot.sequence, "ticket \(number) is missing")
            #expect(sequence >= number, "ticket \(number) is missing")
        }
    }
}

/// The work of the process that kills itself.
struct Life {
    static let rows: UInt64 = 997
    /// The number of tickets that may wait for the disk.
    ///
    /// Without a limit, optimized code submits faster than the store commits: each commit has more
    /// to write than the one before, and the life never ends.
    static let ticketsAhead = 256
    let path: String
    let number: UInt64

    /// Continues with the ticket after the last recovered one, and dies after `reports` reports.
    func run(until reports: UInt64) throws {
        let store = try SQLiteStore(in: DataDirectory(path: path + "/data"))
        var next: UInt64 = 1
        _ = try store.recoverSessions { row in
            next = max(next, (row.heads.first?.dot.sequence ?? 0) + 1)
        }
        let log = open(path + "/acknowledged", O_WRONLY | O_CREAT | O_APPEND, 0o600)
        let loop = DispatchQueue(label: "loop")
        let count = Mutex<UInt64>(0)
        let acknowledged = Mutex(next - 1)
        let window = DispatchSemaphore(value: Self.ticketsAhead)
        let queue = CommitQueue(store: store) { body in
            loop.async(execute: body)
        } report: { report in
            guard case .committed(let ticket, _) = report else { exit(1) }
            let line = Array("\(ticket)\n".utf8)
            _ = write(log, line, line.count)
            let isLast = count.withLock { count in
                count += 1
                return count == reports
            }
            if isLast { kill(getpid(), SIGKILL) }
            let freed = acknowledged.withLock { acknowledged in
                defer { acknowledged = max(acknowledged, ticket) }
                return ticket > acknowledged ? ticket - acknowledged : 0
            }
            for _ in 0..<freed { window.signal() }
        }
        queue.submit(ticket: next - 1, writes: [.conversation(Values.conversation(1))])
        while true {
            let row = Values.session(Int64(next % Self.rows), heads: [Values.head(1, next)])
            window.wait()
            // Submitting with `sync` keeps at most one ticket ahead of the loop.
            let ticket = next
            loop.sync { queue.submit(ticket: ticket, writes: [.session(row)]) }
            next += 1
        }
    }
}
