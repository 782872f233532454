import Synchronization

/// Compares the faults of a run with those of an earlier one, each with that of the same place.
package final class ReplayJudge: FaultObserver {
    /// What has come of the comparison.
    package struct Verdict: Sendable {
        /// The faults that were as recorded.
        package fileprivate(set) var equal = 0
        /// The recorded faults that have not happened.
        package fileprivate(set) var missing = 0
        /// The faults after the last one that was recorded of their place.
        package fileprivate(set) var further = 0
        /// The first fault that was another one, and what was recorded.
        package fileprivate(set) var difference: (now: RecordedFault, recorded: RecordedFault)?
        fileprivate var seen: [RecordedFault.Place: Int] = [:]
    }

    private let run: RecordedRun
    private let state = Mutex(Verdict())

    package init(_ run: RecordedRun) {
        self.run = run
    }

    package var verdict: Verdict {
        var verdict = state.withLock { $0 }
        for (place, recorded) in run.faults {
            verdict.missing += max(0, recorded.count - verdict.seen[place, default: 0])
        }
        return verdict
    }

    package func happened(_ faults: [RecordedFault], at milliseconds: Int64) {
        state.withLock { verdict in
            for fault in faults {
                let index = verdict.seen[fault.place, default: 0]
                verdict.seen[fault.place] = index + 1
                let recorded = run.faults[fault.place] ?? []
                if index >= recorded.count {
                    verdict.further += 1
                } else if fault == recorded[index] {
                    verdict.equal += 1
                } else if verdict.difference == nil {
                    verdict.difference = (fault, recorded[index])
                }
            }
        }
    }

    package func changed(by request: ControlRequest, at milliseconds: Int64) {}
}
