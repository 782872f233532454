/// Counts of events in a world.
package struct WorldFigures: Equatable, Sendable {
    package var inputs = 0
    /// The effects that were carried out.
    package var steps = 0
    package var bytesSent = 0
    package var asked = 0
    package var acknowledged = 0
    package var shown = 0
    package var conflicts = 0
    /// The rare events that happened.
    package var rare: Set<RareEvent> = []

    package init() {}

    package mutating func add(_ other: WorldFigures) {
        inputs += other.inputs
        steps += other.steps
        bytesSent += other.bytesSent
        asked += other.asked
        acknowledged += other.acknowledged
        shown += other.shown
        conflicts += other.conflicts
        rare.formUnion(other.rare)
    }
}
