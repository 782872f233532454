package import ParleyCore

/// Everything that a run follows from: what holds in the world, and what is done in it when.
package struct Scenario: Sendable, Equatable {
    package var settings: WorldSettings
    package var nodes: Int
    /// Nodes that lie instead of running our software; never the first two.
    package var byzantineNodes: [Int] = []
    /// Nodes that also send what only a later version knows.
    package var newerNodes: [Int] = []
    /// Whether every node is told of all addresses at its start; else only by `introduce`.
    package var areAllIntroduced = true
    /// In the order of their times.
    package var actions: [ScheduledAction] = []
    /// How long things go wrong.
    package var chaos: Interval
    /// How long it may take from the end of all faults until everybody agrees.
    package var convergenceLimit = Interval.seconds(30)
    /// How long the world is watched after that.
    package var idle = Interval.seconds(6)
    /// Whether bytes that were stuck arrive when the faults end; else their connections break.
    package var keepsBytes = true

    package init(settings: WorldSettings, nodes: Int, chaos: Interval) {
        self.settings = settings
        self.nodes = nodes
        self.chaos = chaos
    }
}
