package import ParleyCore

/// The result of a plan.
package struct PlanReport: Sendable, Equatable {
    /// A row of the result: an expectation, or a step that failed.
    package struct Row: Sendable, Equatable {
        package enum Outcome: Sendable, Equatable {
            /// The expectation held after this time; for several steps in one row, the longest.
            case met(Interval)
            /// The expectation failed, or the action was impossible.
            case missed(String)
            case notReached
        }

        package var line: Int
        package var words: String
        package var limit: Interval?
        package var outcome: Outcome
        var group: Int?
    }

    /// A step that has ended, with its times since the first step.
    package struct Step: Sendable, Equatable {
        package var line: Int
        package var words: String
        package var start: Interval
        package var end: Interval
    }

    package var title: String
    package internal(set) var rows: [Row] = []
    package internal(set) var steps: [Step] = []

    package var passed: Bool {
        rows.allSatisfy { if case .met = $0.outcome { true } else { false } }
    }

    /// The first row that was missed, and why.
    package var missed: (row: Row, why: String)? {
        for row in rows {
            if case .missed(let why) = row.outcome { return (row, why) }
        }
        return nil
    }

    /// The first failure.
    package var failure: String? {
        missed.map { "line \($0.row.line): \($0.row.words): \($0.why)" }
    }

    mutating func add(_ row: Row) {
        guard row.group != nil, let last = rows.indices.last, rows[last].group == row.group else {
            rows.append(row)
            return
        }
        switch (rows[last].outcome, row.outcome) {
        case (.met(let before), .met(let now)): rows[last].outcome = .met(max(before, now))
        case (.met, _): rows[last].outcome = row.outcome
        case (.missed, _), (.notReached, _): break
        }
    }
}
