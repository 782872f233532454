/// A check whether the older of two links to a device still works.
package struct DuplicateCheck: Sendable {
    /// How long the asked link has to answer.
    package static let patience = Interval.seconds(2)
    /// An older link is asked from this age on; a younger link stays unasked.
    package static let established = Interval.seconds(10)

    package enum Matter: Sendable, Equatable {
        /// Both links lead to the same process; `rival` stays if the asked link does not answer.
        case sameProcess
        /// The rival leads to another process: the asked link's process has ended, or the identity
        /// was copied.
        case otherProcess
    }

    package let matter: Matter
    package let rival: LinkID
    package let deadline: Moment
}
