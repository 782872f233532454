public import Foundation

/// A rule about the places of views; it has no effect, as views are not laid out.
///
/// Apple's documentation: <https://developer.apple.com/documentation/uikit/nslayoutconstraint>.
@preconcurrency @MainActor
public final class NSLayoutConstraint: NSObject {
    /// Whether the app switched the rule on.
    public var isActive = false
    /// The distance, in points.
    public var constant: CGFloat
    /// How much the rule matters against others.
    public var priority = UILayoutPriority.required
    /// A name for people who debug.
    public var identifier: String?

    init(constant: CGFloat) {
        self.constant = constant
        super.init()
    }

    /// Sets `isActive` of each.
    public class func activate(_ constraints: [NSLayoutConstraint]) {
        for constraint in constraints { constraint.isActive = true }
    }

    /// Resets `isActive` of each.
    public class func deactivate(_ constraints: [NSLayoutConstraint]) {
        for constraint in constraints { constraint.isActive = false }
    }
}

/// How much a rule matters, from 0 to 1,000.
public struct UILayoutPriority: RawRepresentable, Hashable, Sendable {
    /// The number, from 0 to 1,000.
    public var rawValue: Float

    /// A priority of that number.
    public init(rawValue: Float) {
        self.rawValue = rawValue
    }

    /// A priority of that number.
    public init(_ rawValue: Float) {
        self.init(rawValue: rawValue)
    }

    /// A rule that has to be kept: 1,000.
    public static let required = UILayoutPriority(1_000)
    /// A rule that gives way to few others: 750.
    public static let defaultHigh = UILayoutPriority(750)
    /// A rule that gives way to most others: 250.
    public static let defaultLow = UILayoutPriority(250)
    /// A rule that only a size that fits follows: 50.
    public static let fittingSizeLevel = UILayoutPriority(50)
}
