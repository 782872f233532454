/// The phase of a link.
///
/// Legal transitions:
/// - `greeting -> proving`, on the peer's hello
/// - `proving -> member`, when a conversation of both is found
/// - any -> `closing`, on a goodbye of either side, or when the connection is lost; final
package enum LinkPhase: Sendable, Equatable {
    case greeting(deadline: Moment)
    case proving(deadline: Moment)
    case member
    case closing

    /// How long the peer has for each step.
    package static let patience = Interval.seconds(5)

    /// Whether both sides have said hello, so that they may prove conversations to each other.
    package var mayShare: Bool {
        switch self {
        case .proving, .member: true
        case .greeting, .closing: false
        }
    }

    package var deadline: Moment? {
        switch self {
        case .greeting(let deadline), .proving(let deadline): deadline
        case .member, .closing: nil
        }
    }
}
