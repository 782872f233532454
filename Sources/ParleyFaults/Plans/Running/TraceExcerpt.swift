/// The part of a trace that a person reads first: the last lines about the hosts of a failure.
package struct TraceExcerpt: Sendable {
    package let lines: [String]
    /// The number of lines before, and of others between these.
    package let omitted: Int

    /// Takes the lines that name one of `hosts`, and the steps of the plan; without hosts, or if
    /// none is named, all lines.
    package init(_ trace: [String], about hosts: Set<String>, linesMax: Int = 40) {
        let about = trace.filter { line in
            let words = line.split { !$0.isLetter && !$0.isNumber && $0 != "-" }
            return line.contains(" ---- ") || words.contains { hosts.contains(String($0)) }
        }
        lines = Array((hosts.isEmpty ? trace : about).suffix(linesMax))
        omitted = trace.count - lines.count
    }
}

extension SimulatedPlan {
    /// The trace around the failure, about the hosts that its reason names.
    package var excerpt: TraceExcerpt {
        let why = report.missed?.why ?? ""
        let words = why.split { !$0.isLetter && !$0.isNumber && $0 != "-" }.map(String.init)
        let named = failures.flatMap(\.nodes) + words.filter(hosts.contains)
        return TraceExcerpt(trace, about: Set(named))
    }
}
