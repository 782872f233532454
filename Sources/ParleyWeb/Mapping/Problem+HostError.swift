import Messages
package import MessagesHost
package import ParleyAPI
import ParleyNode

extension Problem {
    /// Describes an error of the host of apps.
    package init(_ error: HostError) {
        switch error {
        case .node(let error): self.init(error)
        case .notYourTurn(let next): self.init(NodeError.notYourTurn(next: next))
        case .tooLarge(let what, let size, let limit):
            self.init(NodeError.tooLarge(what: what, size: size, limit: limit))
        case .unknownApp:
            self.init(.unknownApp, error.description, hint: "See: parley apps")
        case .appDidNotStart: self.init(.appDidNotStart, error.description)
        case .unknownMessage: self.init(.unknownMessage, error.description)
        case .notAPicture:
            self.init(
                .notAnImage,
                error.description,
                hint: "Pictures are PNG, JPEG, GIF, WebP and SVG files."
            )
        case .faulty: self.init(.unreadable, error.description)
        case .nothingThere: self.init(.nothingThere, error.description)
        case .refused, .cannot, .exchange, .againstTheRules, .matchIsOver:
            self.init(.refused, error.description)
        }
    }

    /// Describes the error of an action on a view.
    init(_ error: ParleyView.ActionError) {
        switch error {
        case .notFound, .stale:
            self.init(
                .staleAction,
                "The screen has changed since; the action was not carried out.",
                hint: "Look at the screen again."
            )
        case .disabled: self.init(.refused, "That is not possible at the moment.")
        case .unsupported: self.init(.badInput, "The view does not have this action.")
        case .improperValue: self.init(.badInput, "The text or drawing is too large.")
        }
    }
}
