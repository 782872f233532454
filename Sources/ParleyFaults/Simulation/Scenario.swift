package import ParleyCore

/// The complete input of a run: the settings of the world and the actions with their times.
package struct Scenario: Sendable, Equatable {
    package var settings: WorldSettings
    package var nodes: Int
    /// Nodes that run a Byzantine writer instead of our software; never the first two.
    package var byzantineNodes: [Int] = []
    /// Nodes that also send frames that only a later version knows.
    package var newerNodes: [Int] = []
    /// Whether every node is told all addresses at its start; otherwise only `introduce` does so.
    package var areAllIntroduced = true
    /// The actions, in the order of their times.
    package var actions: [ScheduledAction] = []
    /// The length of the phase with faults.
    package var chaos: Interval
    /// The time limit for convergence after the end of all faults.
    package var convergenceLimit = Interval.seconds(30)
    /// How long the converged world is watched.
    package var idle = Interval.seconds(6)
    /// Whether bytes held back by a cut arrive when the faults end; otherwise their connections
    /// break.
    package var keepsBytes = true

    package init(settings: WorldSettings, nodes: Int, chaos: Interval) {
        self.settings = settings
        self.nodes = nodes
        self.chaos = chaos
    }
}
