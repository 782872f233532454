import Foundation

/// A refusal: one of Apple's error codes and a sentence of explanation.
package struct MessagesFailure: Error, Hashable, Sendable {
    package let code: MSMessageErrorCode
    package let text: String
    /// Whether the error belongs to `MSStickersErrorDomain` instead of `MSMessagesErrorDomain`.
    package let isAboutSticker: Bool

    package init(_ code: MSMessageErrorCode, _ text: String, isAboutSticker: Bool = false) {
        self.code = code
        self.text = text
        self.isAboutSticker = isAboutSticker
    }

    /// The error as apps see it.
    package var error: NSError {
        NSError(
            domain: isAboutSticker ? MSStickersErrorDomain : MSMessagesErrorDomain,
            code: code.rawValue,
            userInfo: [NSLocalizedDescriptionKey: text]
        )
    }
}
