package import ParleyNode

/// The numbers by which a person in a terminal names the messages of an app.
///
/// A session has one number for all its messages. No two sessions ever get the same number.
package struct SessionNumbers: Sendable {
    private var numbers: [SessionID: Int] = [:]
    private var last = 0

    /// Numbers of a transcript that nobody has seen yet.
    package init() {}

    /// Numbers the sessions in sight, given from the oldest on; forgets all others.
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
