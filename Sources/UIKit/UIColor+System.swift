/// Apple's system colours, as in the light appearance.
///
/// Nothing draws with a colour, and apps cannot see which appearance people use.
extension UIColor {
    private convenience init(_ red: Int, _ green: Int, _ blue: Int, alpha: Double = 1) {
        self.init(
            red: Double(red) / 255,
            green: Double(green) / 255,
            blue: Double(blue) / 255,
            alpha: alpha
        )
    }

    /// 255, 59, 48.
    public static let systemRed = UIColor(255, 59, 48)
    /// 255, 149, 0.
    public static let systemOrange = UIColor(255, 149, 0)
    /// 255, 204, 0.
    public static let systemYellow = UIColor(255, 204, 0)
    /// 52, 199, 89.
    public static let systemGreen = UIColor(52, 199, 89)
    /// 0, 199, 190.
    public static let systemMint = UIColor(0, 199, 190)
    /// 48, 176, 199.
    public static let systemTeal = UIColor(48, 176, 199)
    /// 50, 173, 230.
    public static let systemCyan = UIColor(50, 173, 230)
    /// 0, 122, 255.
    public static let systemBlue = UIColor(0, 122, 255)
    /// 88, 86, 214.
    public static let systemIndigo = UIColor(88, 86, 214)
    /// 175, 82, 222.
    public static let systemPurple = UIColor(175, 82, 222)
    /// 255, 45, 85.
    public static let systemPink = UIColor(255, 45, 85)
    /// 162, 132, 94.
    public static let systemBrown = UIColor(162, 132, 94)
    /// The colour of buttons: `systemBlue`.
    public static let tintColor = systemBlue

    /// 142, 142, 147.
    public static let systemGray = UIColor(142, 142, 147)
    /// 174, 174, 178.
    public static let systemGray2 = UIColor(174, 174, 178)
    /// 199, 199, 204.
    public static let systemGray3 = UIColor(199, 199, 204)
    /// 209, 209, 214.
    public static let systemGray4 = UIColor(209, 209, 214)
    /// 229, 229, 234.
    public static let systemGray5 = UIColor(229, 229, 234)
    /// 242, 242, 247.
    public static let systemGray6 = UIColor(242, 242, 247)

    /// The colour of a text: black.
    public static let label = UIColor(0, 0, 0)
    /// The colour of a text of the second rank.
    public static let secondaryLabel = UIColor(60, 60, 67, alpha: 0.6)
    /// The colour of a text of the third rank.
    public static let tertiaryLabel = UIColor(60, 60, 67, alpha: 0.3)
    /// The colour of a text of the fourth rank.
    public static let quaternaryLabel = UIColor(60, 60, 67, alpha: 0.18)
    /// The colour of the text in an empty field.
    public static let placeholderText = UIColor(60, 60, 67, alpha: 0.3)
    /// The colour of a link.
    public static let link = UIColor(0, 122, 255)
    /// The colour of a thin line.
    public static let separator = UIColor(60, 60, 67, alpha: 0.29)
    /// The colour of a thin line that lets nothing through.
    public static let opaqueSeparator = UIColor(198, 198, 200)

    /// The colour behind everything: white.
    public static let systemBackground = UIColor(255, 255, 255)
    /// The colour behind a part.
    public static let secondarySystemBackground = UIColor(242, 242, 247)
    /// The colour behind a part of a part.
    public static let tertiarySystemBackground = UIColor(255, 255, 255)
    /// The colour behind groups.
    public static let systemGroupedBackground = UIColor(242, 242, 247)
    /// The colour behind a part of a group.
    public static let secondarySystemGroupedBackground = UIColor(255, 255, 255)
    /// The colour behind a part of a part of a group.
    public static let tertiarySystemGroupedBackground = UIColor(242, 242, 247)

    /// The colour of a small filled shape.
    public static let systemFill = UIColor(120, 120, 128, alpha: 0.2)
    /// The colour of a filled shape of medium size.
    public static let secondarySystemFill = UIColor(120, 120, 128, alpha: 0.16)
    /// The colour of a large filled shape.
    public static let tertiarySystemFill = UIColor(118, 118, 128, alpha: 0.12)
    /// The colour of a large area.
    public static let quaternarySystemFill = UIColor(116, 116, 128, alpha: 0.08)
}
