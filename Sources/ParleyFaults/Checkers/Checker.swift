package import ParleyCore

/// Watches a world and says when a promise is broken.
///
/// It is written from the promises, not from the code, and changes nothing in the world but by
/// `World.fail`.
package protocol Checker {
    /// What it is told of; what it does not name never reaches `observe`.
    static var watches: WorldEvent.Kinds { get }
    /// Something happens; `world` is as it is at this moment.
    mutating func observe(_ event: WorldEvent, in world: World)
    /// The run is over; after the calm phase, if there was one.
    mutating func finish(in world: World)
}

extension Checker {
    package static var watches: WorldEvent.Kinds { .all }
    package mutating func observe(_ event: WorldEvent, in world: World) {}
    package mutating func finish(in world: World) {}
}

/// What is promised, by the name under which a failure is reported.
package struct Promise: Hashable, Sendable, CustomStringConvertible {
    package let name: String

    package init(_ name: String) { self.name = name }

    package var description: String { name }
}

/// A broken promise: who, when, what.
package struct Failure: Error, Hashable, Sendable {
    package let promise: Promise
    /// The nodes at which it was seen, the first one above all.
    package let nodes: [String]
    /// In virtual time.
    package let time: Moment
    /// A sentence in the words of the glossary.
    package let what: String
}
