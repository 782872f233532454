import ParleyCore

/// Shortens a failing scenario as far as possible while the same promise stays broken.
///
/// The method is delta debugging: halves of the actions are left out, then quarters, and so on.
/// First, all actions of one node or of one kind are left out, which halves seldom hit. Last, the
/// settings are reset one by one.
package struct Shortening {
    /// The shortest failing scenario so far.
    package private(set) var scenario: Scenario
    /// The result of that scenario.
    package private(set) var result: SimulationResult
    /// The number of runs so far.
    package private(set) var runs = 0
    private let options: SimulationOptions
    private let promise: Promise
    private let runsMax: Int

    /// Begins with a scenario whose `result` has a failure; runs at most `runsMax` others.
    package init?(
        _ scenario: Scenario,
        _ result: SimulationResult,
        options: SimulationOptions,
        runsMax: Int = 400
    ) {
        guard let promise = result.failures.first?.promise else { return nil }
        self.scenario = scenario
        self.result = result
        self.promise = promise
        self.runsMax = runsMax
        var silent = options
        silent.writesTrace = false
        self.options = silent
    }

    /// Shortens until nothing more can be left out.
    package mutating func run() {
        cutEnd()
        var before: Int
        repeat {
            before = scenario.actions.count
            leaveOutKinds()
            leaveOut()
            simplify()
        } while scenario.actions.count < before && runs < runsMax
    }

    /// Whether a scenario breaks the same promise; if so, it becomes the current one.
    private mutating func accepts(_ candidate: Scenario) -> Bool {
        guard runs < runsMax, candidate != scenario else { return false }
        runs += 1
        let outcome = Simulation(candidate, options: options).run()
        guard outcome.failures.contains(where: { $0.promise == promise }) else { return false }
        scenario = candidate
        result = outcome
        return true
    }

    /// Removes the actions after the failure, which cannot matter.
    private mutating func cutEnd() {
        guard let time = result.failures.first?.time else { return }
        var candidate = scenario
        candidate.actions.removeAll { Moment.start + $0.time > time }
        _ = accepts(candidate)
    }

    /// Leaves out the faults, then the actions of each node, the last one first.
    private mutating func leaveOutKinds() {
        attempt { scenario in
            scenario.actions.removeAll { if case .fault = $0.action { true } else { false } }
        }
        attempt { $0.actions.removeAll { $0.action.node == nil } }
        for node in (0..<scenario.nodes).reversed() {
            attempt { $0.actions.removeAll { $0.action.node == node } }
        }
        for node in scenario.byzantineNodes {
            attempt { $0.byzantineNodes.removeAll { $0 == node } }
        }
    }

    private mutating func leaveOut() {
        var size = max(1, scenario.actions.count / 2)
        while true {
            var start = 0
            while start < scenario.actions.count {
                var candidate = scenario
                let end = min(start + size, candidate.actions.count)
                candidate.actions.removeSubrange(start..<end)
                if !accepts(candidate) { start += size }
            }
            guard size > 1, runs < runsMax else { return }
            size = max(1, size / 2)
        }
    }

    private mutating func simplify() {
        let plain = WorldSettings()
        attempt { $0.newerNodes = [] }
        attempt { $0.settings.breaksPer10000 = 0 }
        attempt { $0.settings.dialFailuresPer100 = 0 }
        attempt { $0.settings.halfDialsPer100 = 0 }
        attempt { $0.settings.bandwidth = 0 }
        attempt { $0.settings.cutsBytes = false }
        attempt { $0.settings.kernelBytes = 1 << 20 }
        attempt { $0.settings.openConversations = 0 }
        attempt { $0.settings.limits = plain.limits }
        attempt {
            $0.settings.wireDelay = plain.wireDelay
            $0.settings.wireDelayMean = 0
        }
        attempt {
            $0.settings.commitDelay = plain.commitDelay
            $0.settings.commitDelayMean = 0
        }
        attempt { scenario in
            let last = scenario.actions.map(\.time).max() ?? scenario.chaos
            scenario.chaos = min(scenario.chaos, .milliseconds(last.milliseconds + 1))
        }
        while scenario.nodes > 2 {
            var candidate = scenario
            candidate.nodes -= 1
            guard accepts(candidate) else { break }
        }
    }

    private mutating func attempt(_ change: (inout Scenario) -> Void) {
        var candidate = scenario
        change(&candidate)
        _ = accepts(candidate)
    }
}
