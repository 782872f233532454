import ParleyCore

/// The limits of a message, which every node enforces.
public enum MessageLimits {
    /// The URL, in characters.
    public static let urlCharacters = Limits.urlCharacters
    /// The summary, in bytes of UTF-8.
    public static let summaryBytes = Limits.summaryBytes
    /// The text for screen readers, in bytes of UTF-8.
    public static let accessibilityLabelBytes = Limits.accessibilityLabelBytes
    /// Each text of a layout, in bytes of UTF-8.
    public static let captionBytes = Limits.captionBytes
    /// A text that a person writes, in characters.
    public static let textCharacters = 10_000
    /// The same in bytes of UTF-8.
    public static let textBytes = Limits.textBytes
    /// The name of an app, in bytes of UTF-8.
    public static let appBytes = Limits.appBytes
    /// The picture, in bytes.
    public static let pictureBytes = Limits.blobBytes - SealNonce.overhead
    /// A picture's media type, in bytes of UTF-8.
    public static let mediaTypeBytes = Limits.mediaTypeBytes
    /// The summaries of replaced messages that a node keeps of a session.
    public static let summaries = Limits().summariesPerSession
    /// The participants that a message may name as next.
    public static let nextParticipants = Limits.nextParticipants
}
