/// How large stickers are shown.
public enum MSStickerSize: Int, Sendable {
    /// 100 points.
    case small = 0
    /// 136 points.
    case regular = 1
    /// 206 points.
    case large = 2
}
