/// A check whether a link still works, which decides which of two links to one device stays.
package struct DuplicateCheck: Sendable {
    /// How long the asked link has to answer.
    package static let patience = Interval.seconds(2)
    /// A link of this age is asked before it is closed for a newer one.
    package static let established = Interval.seconds(10)

    package enum Matter: Sendable, Equatable {
        /// Both links lead to the same process; `rival` stays if this one does not answer.
        case sameProcess
        /// The rival leads to another process: this link's process has ended, or the identity was
        /// copied.
        case otherProcess
    }

    package let matter: Matter
    package let rival: LinkID
    package let deadline: Moment
}
