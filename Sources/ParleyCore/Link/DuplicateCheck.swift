/// Which of two links to one device stays: the one that is asked whether it still works.
package struct DuplicateCheck: Sendable {
    /// How long the asked link has to answer.
    package static let patience = Interval.seconds(2)
    /// A link this old is asked before it makes way.
    package static let established = Interval.seconds(10)

    package enum Matter: Sendable, Equatable {
        /// Two links of the same two processes; `rival` stays if this one does not answer.
        case sameProcess
        /// The peer's process is another one: an old one that is gone, or a copy of its identity.
        case otherProcess
    }

    package let matter: Matter
    package let rival: LinkID
    package let deadline: Moment
}
