import Foundation
import TestSupport
import Testing

/// What an envelope costs the machine of a relay, in instructions, which do not depend on what else
/// the computer does, nor here on the seeds of hashes.
@Suite(.timeLimit(.minutes(10))) struct MachineCostTests {
    /// The instructions of an envelope, a limit that goes up only with what an envelope is checked
    /// for, and what comes back for it: receipts, kept by neighbour, are some 340 of them.
    static let limit = 11_200

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/valgrind")))
    func anEnvelopeCostsNoMoreThanBefore() async throws {
        let (sessions, rounds) = (256, 2)
        let directory = try TestDirectory()
        let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
            .deletingLastPathComponent().appending(path: "parley-bench").path
        let child = try Child(
            [
                "/usr/bin/valgrind", "--tool=callgrind",
                "--toggle-collect=*ChainOfMachines*work*", "--callgrind-out-file=/dev/null",
                program, "machine", "\(sessions)", "\(rounds)",
            ],
            environment: ProcessInfo.processInfo.environment
                .merging(["SWIFT_DETERMINISTIC_HASHING": "1"]) { $1 },
            output: directory.path("output"),
            errors: directory.path("errors")
        )
        try #require(await child.end() == 0)
        let report = String(decoding: try directory.contents("errors"), as: UTF8.self)
        let collected = try #require(report.firstMatch(of: /Collected : (\d+)/)?.1)
        let cost = try #require(Int(collected)) / (sessions * rounds)
        print("machine: \(cost) instructions for an envelope")
        #expect((1_000...Self.limit).contains(cost))
    }
}
