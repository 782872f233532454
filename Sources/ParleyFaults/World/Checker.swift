package import ParleyCore

/// Watches a world and reports broken promises.
///
/// A checker is written from the promises, not from the code, and changes nothing in the world
/// except by `World.fail`.
package protocol Checker {
    /// The kinds of events that are passed to `observe`.
    static var watches: WorldEvent.Kinds { get }
    /// Observes an event; `world` has the state of that moment.
    mutating func observe(_ event: WorldEvent, in world: World)
    /// Judges the end of the run, which normally follows quiescence.
    mutating func finish(in world: World)
}

extension Checker {
    package static var watches: WorldEvent.Kinds { .all }
    package mutating func observe(_ event: WorldEvent, in world: World) {}
    package mutating func finish(in world: World) {}
}

/// A promise, identified by the name under which failures are reported.
package struct Promise: Hashable, Sendable, CustomStringConvertible {
    package let name: String

    package init(_ name: String) { self.name = name }

    package var description: String { name }
}

/// A broken promise.
package struct Failure: Error, Hashable, Sendable {
    package let promise: Promise
    /// The nodes concerned, the most important one first.
    package let nodes: [String]
    /// The virtual time of the failure.
    package let time: Moment
    /// A sentence in the words of the glossary.
    package let what: String
}
