import Foundation
import Glibc
import TestSupport
import Testing

/// `parley demo`, whose nodes find each other through the avahi-daemon of this machine.
@Suite(
    .serialized,
    .enabled(if: SystemBus.isReachable, "no D-Bus system bus: run under Deploy/with-avahi.sh"),
    .timeLimit(.minutes(5))
)
struct DemoTests {
    @Test func oneGameEndsByItself() async throws {
        let finished = try await Program.run(["demo", "--once"])
        #expect(finished.status == 0, "\(finished.errorText)")
        #expect(finished.text.contains("Both show the same after 9 moves"))
        #expect(!finished.text.contains("http://"))
    }

    /// The links stand at the end, nothing pushes them away, and Enter prints new ones.
    @Test func theLinksComeLast() async throws {
        let files = try TestDirectory()
        let typing = Pipe()
        let child = try Child(
            [Program.url.path, "demo", "--no-browser"],
            environment: Program.clean.merging(["TMPDIR": files.url.path]) { $1 },
            input: .descriptor(typing.fileHandleForReading.fileDescriptor),
            output: files.path("output"),
            errors: files.path("errors")
        )
        func lines() throws -> [Substring] {
            String(decoding: try files.contents("output"), as: UTF8.self).split(separator: "\n")
        }
        let link = #/^  (?:alice|bob  )  http:\/\/\S+\/enter\/[0-9a-f]{32}\?conversation=games$/#
        try await eventually("two links") { try lines().count { $0.contains(link) } == 2 }
        let shown = try lines()
        #expect(shown.suffix(2).allSatisfy { $0.contains(link) })
        #expect(shown.contains { $0.contains("Now you can play") })
        #expect(shown.contains { $0.contains("Both show the same") })

        try typing.fileHandleForWriting.write(contentsOf: Data("\n".utf8))
        try await eventually("two more links") { try lines().count { $0.contains(link) } == 4 }
        #expect(Set(try lines().filter { $0.contains(link) }).count == 4)
        #expect(try lines().count == shown.count + 2, "the nodes have played only one game")

        child.signal(SIGINT)
        await #expect(child.end() == 0)
        let left = try FileManager.default.contentsOfDirectory(atPath: files.url.path)
        #expect(left.filter { $0.hasPrefix("parley-demo") }.isEmpty)
    }
}
