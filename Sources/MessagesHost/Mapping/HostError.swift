public import Foundation
public import Messages
public import ParleyNode

/// Why the host did not do what an app or a person asked.
public enum HostError: Error, Hashable, Sendable {
    /// One of Apple's refusals, and the sentence that explains it.
    case refused(MSMessageErrorCode, String)
    /// The message to replace names others.
    case notYourTurn(next: [UUID])
    /// Sizes in bytes.
    case tooLarge(what: String, size: Int, limit: Int)
    /// What the node says.
    case node(NodeError)
    case unknownApp(String)
    /// The app's class makes no controller.
    case appDidNotStart(String)
    case unknownMessage(String)
    /// The message is there and cannot be given to the app.
    case faulty(MessageFault)
    /// There is no open app, or nothing to send.
    case nothingThere
}

extension HostError: CustomStringConvertible {
    /// A sentence for people.
    public var description: String {
        switch self {
        case .refused(_, let text): text
        case .notYourTurn(let next):
            "It is the turn of " + next.map(\.uuidString).joined(separator: ", ") + "."
        case .tooLarge(let what, let size, let limit):
            "\(what) has \(size) bytes; at most \(limit) are possible."
        case .node(let error): "The node refuses: \(error)."
        case .unknownApp(let name): "There is no app called \(name)."
        case .appDidNotStart(let name): "The app \(name) did not start."
        case .unknownMessage(let id): "There is no message \(id)."
        case .faulty(let fault): fault.description
        case .nothingThere: "There is nothing there to do that with: the input field is empty."
        }
    }

    /// The refusal as `Messages` tells it.
    package var failure: MessagesFailure {
        switch self {
        case .refused(let code, let text): MessagesFailure(code, text)
        case .node(.tooLarge(what: "the URL", _, _)):
            MessagesFailure(.urlExceedsMaxSize, description)
        default: MessagesFailure(.unknown, description)
        }
    }

    /// The error as apps see it: Apple's domain and code, this error underneath.
    public var appError: NSError {
        let error = failure.error
        var info = error.userInfo
        info[NSUnderlyingErrorKey] = self
        return NSError(domain: error.domain, code: error.code, userInfo: info)
    }

    package init(_ failure: MessagesFailure) {
        self = .refused(failure.code, failure.text)
    }
}
