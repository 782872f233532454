import Foundation
import Glibc
import ParleyAPI
import TestSupport
import Testing

/// `parley doctor` on this machine; the lab has the faults of a network.
@Suite(.timeLimit(.minutes(5)))
struct DoctorCommandTests {
    private struct Report: Decodable {
        struct Finding: Decodable {
            let check: String
            let state: String
            let evidence: String
            let cure: String?
        }

        let state: String
        let findings: [Finding]

        func finding(_ check: String) -> Finding? { findings.first { $0.check == check } }
    }

    @Test func aNodeIsLookedAt() async throws {
        let files = try TestDirectory()
        let (gone, closed) = (files.path("gone"), files.path("node"))
        let other = try await NodeProcess(data: gone)
        let address = try await other.address
        await other.end()
        let node = try await NodeProcess(data: closed, peers: [address])
        chmod("\(closed)/device.key", 0o644)
        let finished = try await node.run("doctor", address, "--format", "json")
        let report = try finished.document(Report.self)
        #expect(finished.status == 2)
        let rights = try #require(report.finding("data-directory"))
        #expect(rights.state == "critical" && rights.evidence.contains("device.key"))
        #expect(rights.cure == "chmod go= \(closed)/device.key")
        for check in ["disk-space", "disk-sync", "descriptors", "node", "store", "identity"] {
            #expect(report.finding(check)?.state == "ok", "\(check): \(report)")
        }
        #expect(report.finding("avahi")?.state == "skipped", "--no-discovery")
        let peer = try #require(report.finding("peer-address"))
        #expect(peer.state == "critical" && peer.evidence.contains("nothing listens on that port"))
        await node.end()
    }

    @Test func withoutANodeEveryFormSaysSo() async throws {
        let files = try TestDirectory()
        async let text = Program.run(["doctor", "--data", files.path("none")])
        async let nagios = Program.run([
            "doctor", "--data", files.path("none"), "--format", "nagios",
        ])
        async let metrics = Program.run(
            ["doctor", "--data", files.path("none"), "--format", "prometheus"]
        )
        #expect(try await text.status == 2)
        #expect(try await text.text.contains("✗ node"))
        let line = try await nagios.text
        #expect(line.hasPrefix("PARLEY CRITICAL - ") && line.split(separator: "\n").count == 1)
        #expect(try await metrics.text.contains(#"parley_doctor_critical{check="node"} 1"#))
        let wrong = try await Program.run(["doctor", "--format", "xml"])
        #expect(wrong.status == 64)
    }
}
