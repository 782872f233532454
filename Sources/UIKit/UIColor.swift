public import Foundation

/// A colour as a value: red, green, blue and how opaque it is, in sRGB, each from 0 to 1.
///
/// Nothing draws with it. Components beyond the range are brought into it, as UIKit says of colours
/// that are not of the extended range.
///
/// Apple's documentation: <https://developer.apple.com/documentation/uikit/uicolor>.
public final class UIColor: NSObject, Sendable {
    private let red: CGFloat
    private let green: CGFloat
    private let blue: CGFloat
    private let alpha: CGFloat

    /// A colour of these parts, each from 0 to 1.
    public init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        self.red = Self.held(red)
        self.green = Self.held(green)
        self.blue = Self.held(blue)
        self.alpha = Self.held(alpha)
        super.init()
    }

    /// A grey; both numbers are from 0 to 1.
    public convenience init(white: CGFloat, alpha: CGFloat) {
        self.init(red: white, green: white, blue: white, alpha: alpha)
    }

    /// A colour by hue, saturation and brightness, each from 0 to 1.
    public convenience init(
        hue: CGFloat,
        saturation: CGFloat,
        brightness: CGFloat,
        alpha: CGFloat
    ) {
        let (hue, saturation, top) = (
            Self.held(hue), Self.held(saturation), Self.held(brightness)
        )
        func part(_ sixths: CGFloat) -> CGFloat {
            let place = (sixths + hue * 6).truncatingRemainder(dividingBy: 6)
            return top - top * saturation * max(0, min(place, 4 - place, 1))
        }
        self.init(red: part(5), green: part(3), blue: part(1), alpha: alpha)
    }

    private static func held(_ part: CGFloat) -> CGFloat {
        part.isFinite ? min(max(part, 0), 1) : 0
    }

    /// The same colour, opaque to another degree.
    public func withAlphaComponent(_ alpha: CGFloat) -> UIColor {
        UIColor(red: red, green: green, blue: blue, alpha: alpha)
    }

    /// Writes each part to its place, unless the place is nil; always true.
    @discardableResult
    public func getRed(
        _ red: UnsafeMutablePointer<CGFloat>?,
        green: UnsafeMutablePointer<CGFloat>?,
        blue: UnsafeMutablePointer<CGFloat>?,
        alpha: UnsafeMutablePointer<CGFloat>?
    ) -> Bool {
        red?.pointee = self.red
        green?.pointee = self.green
        blue?.pointee = self.blue
        alpha?.pointee = self.alpha
        return true
    }

    private var parts: [CGFloat] { [red, green, blue, alpha] }

    /// Whether `object` is a colour of the same parts.
    public override func isEqual(_ object: Any?) -> Bool {
        (object as? UIColor)?.parts == parts
    }

    public override var hash: Int { parts.hashValue }
}

/// The colours with names, of which Apple gives the parts.
extension UIColor {
    /// 0 white.
    public static let black = UIColor(white: 0, alpha: 1)
    /// A third white.
    public static let darkGray = UIColor(white: 1.0 / 3, alpha: 1)
    /// Two thirds white.
    public static let lightGray = UIColor(white: 2.0 / 3, alpha: 1)
    /// 1 white.
    public static let white = UIColor(white: 1, alpha: 1)
    /// Half white.
    public static let gray = UIColor(white: 0.5, alpha: 1)
    /// 1, 0, 0.
    public static let red = UIColor(red: 1, green: 0, blue: 0, alpha: 1)
    /// 0, 1, 0.
    public static let green = UIColor(red: 0, green: 1, blue: 0, alpha: 1)
    /// 0, 0, 1.
    public static let blue = UIColor(red: 0, green: 0, blue: 1, alpha: 1)
    /// 0, 1, 1.
    public static let cyan = UIColor(red: 0, green: 1, blue: 1, alpha: 1)
    /// 1, 1, 0.
    public static let yellow = UIColor(red: 1, green: 1, blue: 0, alpha: 1)
    /// 1, 0, 1.
    public static let magenta = UIColor(red: 1, green: 0, blue: 1, alpha: 1)
    /// 1, 0.5, 0.
    public static let orange = UIColor(red: 1, green: 0.5, blue: 0, alpha: 1)
    /// 0.5, 0, 0.5.
    public static let purple = UIColor(red: 0.5, green: 0, blue: 0.5, alpha: 1)
    /// 0.6, 0.4, 0.2.
    public static let brown = UIColor(red: 0.6, green: 0.4, blue: 0.2, alpha: 1)
    /// 0 white, and not opaque at all.
    public static let clear = UIColor(white: 0, alpha: 0)
}
