package import Foundation
import ParleyAPI

/// The findings of `parley doctor`, and their forms for people and for programs that watch.
package struct DoctorReport: Sendable, Encodable {
    package let state: Finding.State
    package let findings: [Finding]

    package init(_ findings: [Finding]) {
        self.findings = findings
        let order: [Finding.State] = [.critical, .warning, .unknown]
        state = order.first { state in findings.contains { $0.state == state } } ?? .ok
    }

    /// The exit code of plugins for Nagios.
    package var exitCode: Int32 {
        switch state {
        case .ok, .skipped: 0
        case .warning: 1
        case .critical: 2
        case .unknown: 3
        }
    }

    // MARK: Nagios

    /// One line for Nagios: the state, the findings in that state, and the figures.
    package var nagios: String {
        let wrong = findings.filter { $0.state == state && state != .ok }
        let text = wrong.map { "\($0.check): \($0.evidence)" }.joined(separator: "; ")
        let done = findings.count { $0.state != .skipped }
        let figures = findings.flatMap(\.figures).map(Self.nagios)
        return "PARLEY \(state.rawValue.uppercased()) - "
            + (text.isEmpty ? "\(done) checks found nothing" : text.replacing("|", with: "/"))
            + (figures.isEmpty ? "" : "|" + figures.joined(separator: " "))
    }

    private static func nagios(_ figure: Finding.Figure) -> String {
        let unit =
            switch figure.unit {
            case .bytes: "B"
            case .seconds: "s"
            case .files: ""
            }
        // Nagios writes the limit of a figure that must not be too small as a range without an end.
        let isLow = (figure.critical ?? 0) < (figure.warning ?? 0)
        let limits = [figure.warning, figure.critical].map { limit in
            limit.map { number($0) + (isLow ? ":" : "") } ?? ""
        }
        return (["\(figure.name)=\(number(figure.value))\(unit)"] + limits).joined(separator: ";")
    }

    // MARK: Prometheus

    /// Metrics for the textfile collector of node_exporter.
    package func prometheus(at now: Date) -> String {
        var text = ""
        for (state, help) in [
            (Finding.State.critical, "1 if the check found something that stops the node."),
            (.warning, "1 if the check found something to look at."),
            (.unknown, "1 if this user may not do the check."),
            (.skipped, "1 if the check could not be done or does not apply."),
        ] {
            let name = "parley_doctor_\(state.rawValue)"
            text += "# HELP \(name) \(help)\n# TYPE \(name) gauge\n"
            // Several findings of one check are one series.
            for check in Set(findings.map(\.check)).sorted() {
                let isSo = findings.contains { $0.check == check && $0.state == state }
                text += "\(name){check=\"\(check)\"} \(isSo ? 1 : 0)\n"
            }
        }
        for figure in findings.flatMap(\.figures) {
            let base = "parley_doctor_\(figure.name.replacing("-", with: "_"))"
            let name = base.hasSuffix(figure.unit.rawValue) ? base : "\(base)_\(figure.unit)"
            text += "# HELP \(name) Measured by parley doctor.\n# TYPE \(name) gauge\n"
            text += "\(name) \(Self.number(figure.value))\n"
        }
        let name = "parley_doctor_run_timestamp_seconds"
        text += "# HELP \(name) When parley doctor ran, since 1970.\n# TYPE \(name) gauge\n"
        return text + "\(name) \(Int(now.timeIntervalSince1970))\n"
    }

    private static func number(_ value: Double) -> String {
        value == value.rounded() ? "\(Int(value))" : "\((value * 1e6).rounded() / 1e6)"
    }

    // MARK: Text

    /// Writes a line for each finding, with cures, and with details on request.
    func show(isVerbose: Bool, on output: Output) {
        let width = findings.map { TerminalText.columns(Self.title($0)) }.max() ?? 0
        let indent = String(repeating: " ", count: width + 4)
        for finding in findings {
            let title = Self.title(finding).padding(toLength: width, withPad: " ", startingAt: 0)
            let (mark, style) = Self.mark(of: finding.state)
            output.line("\(output.style(style, mark)) \(title)  \(finding.evidence)")
            if isVerbose { for detail in finding.details { output.line(indent + detail) } }
            if let cure = finding.cure {
                output.line(indent + output.style(.bold, "→ \(ProgramName.filled(into: cure))"))
            }
        }
        let bad = findings.filter { [.critical, .warning, .unknown].contains($0.state) }.count
        let skipped = findings.filter { $0.state == .skipped }.count
        output.line()
        output.line(
            (bad == 0
                ? "Nothing was found." : "\(bad) of \(findings.count) checks found something.")
                + (skipped == 0 ? "" : " \(skipped) could not be done or do not apply (–).")
        )
    }

    private static func title(_ finding: Finding) -> String {
        finding.check.replacing("-", with: " ")
    }

    private static func mark(of state: Finding.State) -> (String, Output.Style) {
        switch state {
        case .ok: ("✓", .green)
        case .skipped: ("–", .dim)
        case .warning: ("!", .yellow)
        case .unknown: ("?", .yellow)
        case .critical: ("✗", .red)
        }
    }
}
