import Foundation
import ParleyCore
package import ParleyFaults

/// A drawing of a run: a bar for each step from its begin to its end, over an axis of time.
package struct PlanTimeline {
    private let report: PlanReport
    private let steps: ArraySlice<PlanReport.Step>

    /// So many steps are drawn, the last ones.
    private static let stepsMax = 400
    private static let (rowHeight, chartWidth, wordsWidth, margin) = (20, 560, 620, 16)

    package init(_ report: PlanReport) {
        self.report = report
        steps = report.steps.suffix(Self.stepsMax)
    }

    private var begin: Interval { steps.first?.start ?? Interval(nanoseconds: 0) }
    private var length: Int64 {
        max(1, (steps.last?.end ?? begin).nanoseconds - begin.nanoseconds)
    }

    /// The drawing as SVG.
    package var text: String {
        let width = Self.wordsWidth + Self.chartWidth + 2 * Self.margin
        let height = (steps.count + 3) * Self.rowHeight + 2 * Self.margin
        let missed = Set(report.rows.filter { !$0.isMet }.map(\.line))
        let rows = steps.enumerated().map { row($1, at: $0, isMissed: missed.contains($1.line)) }
        return """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" \
            viewBox="0 0 \(width) \(height)" font-family="sans-serif" font-size="12">
            <rect width="100%" height="100%" fill="#ffffff"/>
            <text x="\(Self.margin)" y="\(Self.margin + 8)" font-size="15" font-weight="bold">\
            \(XMLText.escaped(report.title))</text>
            \(axis)
            \(rows.joined(separator: "\n"))
            </svg>

            """
    }

    private var axis: String {
        let bottom = y(steps.count)
        return (0...4).map { part in
            let time = Interval(nanoseconds: begin.nanoseconds + length / 4 * Int64(part))
            let x = self.x(time)
            let top = y(0) - 4
            return """
                <line x1="\(x)" y1="\(top)" x2="\(x)" y2="\(bottom)" stroke="#d5d9d8"/>\
                <text x="\(x)" y="\(top - 4)" text-anchor="middle" fill="#5a6361">\
                \(XMLText.escaped(time.words))</text>
                """
        }.joined(separator: "\n")
    }

    private func row(_ step: PlanReport.Step, at index: Int, isMissed: Bool) -> String {
        let (from, to) = (x(step.start), x(step.end))
        let color = isMissed ? "#b3261e" : "#1f6f66"
        let words = TerminalText.fitted("\(step.line)  \(step.words)", columns: 95)
        return """
            <text x="\(Self.margin)" y="\(y(index) + 14)"\(isMissed ? " fill=\"\(color)\"" : "")>\
            \(XMLText.escaped(words))</text>\
            <rect x="\(from)" y="\(y(index) + 4)" width="\(max(2, to - from))" height="12" \
            fill="\(color)"><title>\(XMLText.escaped((step.end - step.start).words))</title></rect>
            """
    }

    private func x(_ time: Interval) -> Int64 {
        let share = Double(time.nanoseconds - begin.nanoseconds) / Double(length)
        return Int64(Self.margin + Self.wordsWidth)
            + Int64(share * Double(Self.chartWidth - 2 * Self.margin))
    }

    private func y(_ row: Int) -> Int { Self.margin + (row + 2) * Self.rowHeight }
}

extension PlanReport.Row {
    fileprivate var isMet: Bool {
        if case .met = outcome { true } else { false }
    }
}
