import Foundation
import ParleyCore
import ParleyFaults

/// Runs of a plan as the XML that build servers read: a suite for each run, a case for each
/// expectation.
///
/// The elements and attributes are those that JUnit's report of Apache Ant has.
package struct JUnitDocument {
    /// A run, with the seed if it was simulated, and the promises that its checkers found broken.
    package struct Run: Sendable {
        let report: PlanReport
        var seed: UInt64?
        var broken: [String] = []
    }

    private let plan: String
    private let runs: [Run]

    package init(plan: String, runs: [Run]) {
        self.plan = plan
        self.runs = runs
    }

    package var text: String {
        let suites = runs.map(suite).joined()
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuites name="parley">
            \(suites)</testsuites>

            """
    }

    private func suite(_ run: Run) -> String {
        let report = run.report
        let failures = report.rows.count { $0.failure != nil } + run.broken.count
        let skipped = report.rows.count { $0.outcome == .notReached }
        let name = run.seed.map { "\(report.title), seed \($0)" } ?? report.title
        let attributes = [
            ("name", name), ("tests", "\(report.rows.count + run.broken.count)"),
            ("failures", "\(failures)"), ("skipped", "\(skipped)"),
            ("time", Self.seconds(report.steps.last?.end)),
        ]
        let cases = report.rows.map { testCase($0, in: report) } + run.broken.map(brokenCase)
        return "<testsuite\(Self.attributes(attributes))>\n\(cases.joined())</testsuite>\n"
    }

    private func testCase(_ row: PlanReport.Row, in report: PlanReport) -> String {
        var time: Interval?
        switch row.outcome {
        case .met(let after): time = after
        case .missed: time = report.steps.last { $0.line == row.line }.map { $0.end - $0.start }
        case .notReached: break
        }
        let attributes = [
            ("classname", plan), ("name", row.words), ("file", plan), ("line", "\(row.line)"),
            ("time", Self.seconds(time)),
        ]
        let start = "<testcase\(Self.attributes(attributes))"
        switch row.outcome {
        case .met: return start + "/>\n"
        case .missed(let why):
            return start + "><failure\(Self.attributes([("message", why)]))/></testcase>\n"
        case .notReached: return start + "><skipped/></testcase>\n"
        }
    }

    private func brokenCase(_ promise: String) -> String {
        let attributes = [("classname", plan), ("name", "the run as a whole")]
        let failure = Self.attributes([("message", promise)])
        return "<testcase\(Self.attributes(attributes))><failure\(failure)/></testcase>\n"
    }

    private static func seconds(_ interval: Interval?) -> String {
        String(format: "%.3f", Double(interval?.nanoseconds ?? 0) / 1e9)
    }

    private static func attributes(_ pairs: [(String, String)]) -> String {
        pairs.map { " \($0)=\"\(XMLText.escaped($1))\"" }.joined()
    }
}

extension PlanReport.Row {
    /// Why the expectation was missed.
    fileprivate var failure: String? {
        if case .missed(let why) = outcome { why } else { nil }
    }
}

/// Text inside of XML.
enum XMLText {
    /// The text with references for what means something in XML; characters that XML 1.0 has no
    /// way to write become U+FFFD.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "\t", "\n", "\r": escaped += "&#\(scalar.value);"
            case "\u{0}"..<" ", "\u{FFFE}", "\u{FFFF}": escaped += "\u{FFFD}"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
