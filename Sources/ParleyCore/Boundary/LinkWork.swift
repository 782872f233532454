/// The work that the bytes of a link caused in one step.
package struct LinkWork: Sendable, Equatable {
    package let link: LinkID
    package let units: Int
    /// Whether frames wait because the work of the turn was used up.
    package let isUnfinished: Bool
}
