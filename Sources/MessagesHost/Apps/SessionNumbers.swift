package import ParleyNode

/// The numbers by which a person in a terminal names the messages of an app: one for each session,
/// as a later message of a session takes the place of the earlier one.
///
/// A number is never given to a second session.
package struct SessionNumbers: Sendable {
    private var numbers: [SessionID: Int] = [:]
    private var last = 0

    /// Numbers of a transcript that nobody has seen yet.
    package init() {}

    /// The numbers of the sessions that are in sight, which are given from the oldest on; others
    /// are forgotten.
    package mutating func number(_ sessions: [SessionID]) -> [SessionID: Int] {
        var present: [SessionID: Int] = [:]
        for session in sessions {
            if let number = numbers[session] {
                present[session] = number
            } else if present[session] == nil {
                last += 1
                present[session] = last
            }
        }
        numbers = present
        return present
    }
}
