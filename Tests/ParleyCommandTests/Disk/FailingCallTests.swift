import Foundation
import TestSupport
import Testing

/// Any call on a node's files may fail: nothing acknowledged is lost, and the reason is said.
///
/// `PARLEY_TEST_FAILING_CALLS` is `all`, how many faults to draw, or a list of faults such as
/// `write:17:ENOSPC:ever`; `make failing-calls` sets it. Otherwise a few are drawn.
@Suite(.timeLimit(.minutes(180)), .serialized)
struct FailingCallTests {
    @Test func anyCallMayFail() async throws {
        let directory = try TestDirectory()
        let shim = try await DiskShim(in: directory)
        let wanted = ProcessInfo.processInfo.environment["PARLEY_TEST_FAILING_CALLS"]
        let messages = wanted == nil ? 100 : 480
        let whole = try FailingRun(shim, nil, messages: messages)
        try await whole.run()
        let all = DiskFault.all(of: try whole.records())
        try #require(all.count > 1_000)
        switch wanted {
        case nil: try await check(all.shuffled().prefix(12), shim, messages: messages)
        case let number? where number == "all" || Int(number) != nil:
            let drawn = all.shuffled().prefix(Int(number) ?? .max)
            try await check(drawn, shim, messages: messages, jobs: 2)
        case let list?:
            let faults = list.split(separator: ",").compactMap { DiskFault($0) }
            try #require(!faults.isEmpty, "no fault in \(list)")
            try await check(faults[...], shim, messages: messages)
        }
    }

    /// Regression: a read that failed was called damage, with the advice to begin as a new device.
    ///
    /// A list of devices that could not be read was no list, and a disk that was read-only by now
    /// had failed for the reason `Success`.
    @Test(arguments: [
        "read:5:EIO:ever", "read:6:EIO:once", "read:20:EIO:once", "read:21:EIO:once",
        "read:22:EIO:once", "read:23:EIO:once", "open:13:EIO:ever", "write:150:EROFS:ever",
    ])
    func theReasonIsTheSystems(fault: String) async throws {
        let shim = try await DiskShim(in: TestDirectory())
        let found = try #require(DiskFault(fault))
        try await FailingRun(shim, found, messages: FailingRun.perChunk * 2).run()
    }

    /// Runs each fault, and says which promises were broken.
    private func check(
        _ faults: ArraySlice<DiskFault>,
        _ shim: DiskShim,
        messages: Int,
        jobs: Int = 1
    ) async throws {
        let begin = ContinuousClock.now
        var done = 0
        var waiting = faults
        await withTaskGroup(of: (DiskFault, (any Error)?).self) { group in
            func next() {
                guard let fault = waiting.popFirst() else { return }
                group.addTask {
                    do {
                        try await FailingRun(shim, fault, messages: messages).run()
                        return (fault, nil)
                    } catch {
                        return (fault, error)
                    }
                }
            }
            for _ in 0..<jobs { next() }
            for await (fault, error) in group {
                done += 1
                if let error {
                    Issue.record("\(error); again by make failing-calls ARGS=\(fault)")
                }
                if done % 100 == 0 { tell(done, of: faults.count, since: begin) }
                next()
            }
        }
    }

    private func tell(_ done: Int, of count: Int, since begin: ContinuousClock.Instant) {
        let passed = ContinuousClock.now - begin
        let left = passed / done * (count - done)
        print("\(done) of \(count) faults, \(left.components.seconds / 60 + 1) minutes left")
    }
}
