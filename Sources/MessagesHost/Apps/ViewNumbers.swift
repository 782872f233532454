package import Messages

/// The numbers by which a person in a terminal names the views of a screen.
///
/// A view keeps its number while the screen has any of the earlier views, even while the view is
/// not usable. So a number that a person types never reaches another view than the person saw.
package struct ViewNumbers: Sendable {
    private var numbers: [ParleyView.Identity: Int] = [:]

    /// Beyond this number, the numbers of views that are not usable are given away.
    package static let highest = 99

    /// Numbers of a screen that nobody has seen yet.
    package init() {}

    /// Numbers the usable views in their order, and returns their numbers.
    package mutating func number(_ usable: [ParleyView.Identity]) -> [ParleyView.Identity: Int] {
        // A screen without any of the earlier views counts from 1 again. A screen without usable
        // views, as during another participant's turn, keeps the numbers.
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
