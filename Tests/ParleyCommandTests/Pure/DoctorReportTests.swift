import Foundation
import ParleyAPI
import ParleyCommand
import Testing

/// The forms of what `parley doctor` finds.
@Suite struct DoctorReportTests {
    private static let free = Finding.Figure(
        "free",
        5e8,
        .bytes,
        warning: 1e9,
        critical: 1e8
    )
    private static let sync = Finding.Figure(
        "sync",
        0.004,
        .seconds,
        warning: 0.1,
        critical: 1
    )

    @Test(
        arguments: [
            ([], Int32(0)), ([.ok, .skipped], 0), ([.ok, .unknown], 3), ([.unknown, .warning], 1),
            ([.warning, .critical, .unknown], 2),
        ] as [([Finding.State], Int32)]
    )
    func theWorstFindingDecides(states: [Finding.State], code: Int32) {
        #expect(DoctorReport(states.map { Finding("a", $0, "e") }).exitCode == code)
    }

    @Test func nagiosGetsOneLineWithFigures() {
        let report = DoctorReport([
            Finding("disk-space", .warning, "500 MB | free", figures: [Self.free]),
            Finding("disk-sync", .ok, "4 ms", figures: [Self.sync]),
        ])
        #expect(
            report.nagios == "PARLEY WARNING - disk-space: 500 MB / free"
                + "|free=500000000B;1000000000:;100000000: sync=0.004s;0.1;1"
        )
        #expect(DoctorReport([]).nagios == "PARLEY OK - 0 checks found nothing")
    }

    @Test func prometheusGetsOneSeriesForEachCheck() {
        let report = DoctorReport([
            Finding("peer-address", .ok, "a"), Finding("peer-address", .critical, "b"),
            Finding("node", .unknown, "c"),
            Finding("disk-sync", .ok, "4 ms", figures: [Self.sync]),
        ])
        let lines = report.prometheus(at: Date(timeIntervalSince1970: 7)).split(separator: "\n")
            .filter { !$0.hasPrefix("#") }
        #expect(
            lines == [
                #"parley_doctor_critical{check="disk-sync"} 0"#,
                #"parley_doctor_critical{check="node"} 0"#,
                #"parley_doctor_critical{check="peer-address"} 1"#,
                #"parley_doctor_warning{check="disk-sync"} 0"#,
                #"parley_doctor_warning{check="node"} 0"#,
                #"parley_doctor_warning{check="peer-address"} 0"#,
                #"parley_doctor_unknown{check="disk-sync"} 0"#,
                #"parley_doctor_unknown{check="node"} 1"#,
                #"parley_doctor_unknown{check="peer-address"} 0"#,
                #"parley_doctor_skipped{check="disk-sync"} 0"#,
                #"parley_doctor_skipped{check="node"} 0"#,
                #"parley_doctor_skipped{check="peer-address"} 0"#,
                "parley_doctor_sync_seconds 0.004",
                "parley_doctor_run_timestamp_seconds 7",
            ]
        )
    }

    /// A clock that is off by 400 days, and what says nothing about a clock.
    @Test(arguments: [
        (400 * 86_400.0, Finding.State.warning, "400 days"), (-400 * 86_400, .ok, "1 messages"),
        (30, .ok, "1 messages"), (300, .warning, "5 minutes"),
    ])
    func aMessageFromTheFutureProvesThatAClockIsWrong(
        skew: Double,
        state: Finding.State,
        words: String
    ) {
        let now = Date(timeIntervalSince1970: 1e9)
        let entry = Summary(
            session: SessionID(),
            id: MessageID(description: "I"),
            revision: 1,
            sender: Participant(id: UUID(), device: "D", name: "study"),
            sentAt: now.addingTimeInterval(skew),
            summaryText: nil
        )
        let finding = ClockCheck.finding(of: [entry], at: now)
        #expect(finding.state == state)
        #expect(finding.evidence.contains(words), "\(finding.evidence)")
        #expect(ClockCheck.finding(of: [], at: now).state == .skipped)
    }

    /// Evidence has names of others in it.
    @Test func evidenceIsSafeForATerminal() {
        let finding = Finding("a", .ok, "\u{1B}[31m", cure: "\u{1B}]0;x\u{7}")
        #expect(!finding.evidence.contains("\u{1B}"))
        #expect(finding.cure == "\u{FFFD}]0;x\u{FFFD}")
    }
}
