public import Foundation

/// Tells the host how large the app draws a message.
@preconcurrency @MainActor
public protocol MSMessagesAppTranscriptPresentation: NSObjectProtocol {
    /// The size in which the app draws: at most `size` in width and in height.
    func contentSizeThatFits(_ size: CGSize) -> CGSize
}
