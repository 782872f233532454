public import Foundation

/// Says how large the app's drawing of a message is.
@MainActor
public protocol MSMessagesAppTranscriptPresentation: NSObjectProtocol {
    /// The size to draw in, at most `size` each way.
    func contentSizeThatFits(_ size: CGSize) -> CGSize
}
