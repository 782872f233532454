public import Foundation

/// The distances from the four edges of a rectangle, in points.
public struct UIEdgeInsets: Hashable, Sendable {
    /// The distance from the upper edge.
    public var top: CGFloat
    /// The distance from the left edge.
    public var left: CGFloat
    /// The distance from the lower edge.
    public var bottom: CGFloat
    /// The distance from the right edge.
    public var right: CGFloat

    /// No distance.
    public static let zero = UIEdgeInsets()

    /// These distances.
    public init(top: CGFloat = 0, left: CGFloat = 0, bottom: CGFloat = 0, right: CGFloat = 0) {
        self.top = top
        self.left = left
        self.bottom = bottom
        self.right = right
    }
}
