public import Foundation
public import Messages
public import ParleyNode

/// Why the host refused a request of an app or a person.
public enum HostError: Error, Hashable, Sendable {
    /// A refusal of Apple's framework, with a sentence for people.
    case refused(MSMessageErrorCode, String)
    /// The message that would be replaced names other participants as next.
    case notYourTurn(next: [UUID])
    /// The match does not allow this now.
    case cannot(ParleyMatch.Choice)
    /// The exchange does not allow this now.
    case exchange(ParleyExchange.Refusal)
    /// The rules of the app do not allow the message; the reason is a sentence of the app.
    case againstTheRules(String)
    /// The match is over, so nothing follows in its session.
    case matchIsOver
    /// Something exceeds a limit; both sizes are in bytes.
    case tooLarge(what: String, size: Int, limit: Int)
    /// A file should be a picture, and nobody can be shown one.
    case notAPicture(name: String, reason: String)
    /// The node refused the request.
    case node(NodeError)
    case unknownApp(String)
    /// The app's class returned no controller.
    case appDidNotStart(String)
    case unknownMessage(String)
    /// The node has the message, but it cannot be given to the app.
    case faulty(MessageFault)
    /// No app is open, or the input field is empty.
    case nothingThere
}

extension HostError: CustomStringConvertible {
    /// A sentence for people.
    public var description: String {
        switch self {
        case .refused(_, let text): text
        case .notYourTurn(let next):
            "It is the turn of " + next.map(\.uuidString).joined(separator: ", ") + "."
        case .cannot(let choice): choice.refusal
        case .exchange(let refusal): refusal.text
        case .againstTheRules(let reason): "This move is not possible. \(reason)"
        case .matchIsOver: "The game is over; a rematch is a game of its own."
        case .tooLarge(let what, let size, let limit):
            "\(what) has \(size) \(NodeError.unit(of: what)); at most \(limit) are possible."
        case .notAPicture(let name, let reason): "\(name) cannot be shown as a picture. \(reason)"
        case .node(let error): "The node refuses: \(error)."
        case .unknownApp(let name): "There is no app called \(name)."
        case .appDidNotStart(let name): "The app \(name) did not start."
        case .unknownMessage(let id): "There is no message \(id)."
        case .faulty(let fault): fault.description
        case .nothingThere: "No app is open, or the input field is empty."
        }
    }

    /// The refusal as `Messages` reports it to apps.
    package var failure: MessagesFailure {
        switch self {
        case .refused(let code, let text): MessagesFailure(code, text)
        case .node(.tooLarge(what: "the URL", _, _)):
            MessagesFailure(.urlExceedsMaxSize, description)
        case .notAPicture: MessagesFailure(.improperFileType, description)
        default: MessagesFailure(.unknown, description)
        }
    }

    /// The error as apps see it: Apple's domain and code, with this error as the underlying error.
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

extension HostError {
    /// Awaits the answer of a function that calls a handler once, unless it throws.
    @MainActor
    static func awaited<Value: Sendable>(
        _ start: (@escaping @MainActor (Result<Value, HostError>) -> Void) throws(HostError) -> Void
    ) async throws(HostError) -> Value {
        let result = await withCheckedContinuation { answer in
            do throws(HostError) {
                try start { answer.resume(returning: $0) }
            } catch {
                answer.resume(returning: .failure(error))
            }
        }
        return try result.get()
    }
}
