public import Foundation

/// The machine of a node as an app may ask for it: values that never change.
///
/// Apple's documentation: <https://developer.apple.com/documentation/uikit/uidevice>.
@preconcurrency @MainActor
public final class UIDevice: NSObject {
    /// This machine.
    public static let current = UIDevice()

    /// The kind of machine, as an app does not get a name that its owner gave.
    public let name = "Linux"
    /// The kind of machine.
    public let model = "Linux"
    /// The kind of machine, in the language of the person.
    public let localizedModel = "Linux"
    /// The name of the system.
    public let systemName = "Linux"
    /// The version of the kernel, as three numbers.
    public let systemVersion: String
    /// A phone: the page shows an app in a column of its width.
    public let userInterfaceIdiom = UIUserInterfaceIdiom.phone
    /// Upright.
    public let orientation = UIDeviceOrientation.portrait
    /// Nil: apps of one author do not know one another.
    public let identifierForVendor: UUID? = nil
    /// Whether more than one program runs at a time, which is so.
    public let isMultitaskingSupported = true

    private override init() {
        let version = ProcessInfo.processInfo.operatingSystemVersion
        systemVersion = "\(version.majorVersion).\(version.minorVersion).\(version.patchVersion)"
        super.init()
    }
}

/// The kinds of machines for which an app is laid out.
public enum UIUserInterfaceIdiom: Int, Sendable {
    case unspecified = -1
    case phone = 0
    case pad = 1
    case tv = 2
    case carPlay = 3
    case mac = 5
    case vision = 6
}

/// How a machine is held.
public enum UIDeviceOrientation: Int, Sendable {
    case unknown = 0
    case portrait = 1
    case portraitUpsideDown = 2
    case landscapeLeft = 3
    case landscapeRight = 4
    case faceUp = 5
    case faceDown = 6

    /// Whether the machine is held upright.
    public var isPortrait: Bool { self == .portrait || self == .portraitUpsideDown }

    /// Whether the machine is held on its side.
    public var isLandscape: Bool { self == .landscapeLeft || self == .landscapeRight }
}

/// A screen for which an app can lay something out: the values of a usual phone.
///
/// A node does not know how large the windows are in which people have its page.
///
/// Apple's documentation: <https://developer.apple.com/documentation/uikit/uiscreen>.
@preconcurrency @MainActor
public final class UIScreen: NSObject {
    /// The only screen.
    public static let main = UIScreen()

    /// 390 points wide and 844 high.
    public let bounds = CGRect(x: 0, y: 0, width: 390, height: 844)
    /// The size in pixels.
    public let nativeBounds = CGRect(x: 0, y: 0, width: 780, height: 1_688)
    /// Two pixels for a point.
    public let scale: CGFloat = 2
    /// Two pixels for a point.
    public let nativeScale: CGFloat = 2

    private override init() {
        super.init()
    }
}
