package import Messages

/// The numbers by which a person in a terminal names the views of a screen.
///
/// A view keeps its number as long as the screen has views that were there before, also while the
/// view cannot be used, so that a person who types a number never reaches another view than the one
/// that had the number when they read it.
package struct ViewNumbers: Sendable {
    private var numbers: [ParleyView.Identity: Int] = [:]

    /// Beyond this number, the numbers of views that cannot be used now are given away.
    package static let highest = 99

    /// Numbers of a screen that nobody has seen yet.
    package init() {}

    /// The numbers of the views that can be used now, which are given in their order.
    package mutating func number(_ usable: [ParleyView.Identity]) -> [ParleyView.Identity: Int] {
        // A screen on which nothing is left of the one before counts from 1 again. One that cannot
        // be used for a moment, as it is somebody else's turn, comes back with its numbers.
        if !usable.isEmpty, !usable.contains(where: { numbers[$0] != nil }) { numbers = [:] }
        let present = Set(usable)
        let new = usable.filter { numbers[$0] == nil }
        var next = (numbers.values.max() ?? 0) + 1
        if next + new.count > Self.highest + 1 {
            numbers = numbers.filter { present.contains($0.key) }
            next = 1
        }
        let taken = Set(numbers.values)
        for view in new {
            while taken.contains(next) { next += 1 }
            numbers[view] = next
            next += 1
        }
        return numbers.filter { present.contains($0.key) }
    }
}
