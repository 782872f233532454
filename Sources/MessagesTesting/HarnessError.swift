public import Messages
public import MessagesHost

/// Why a harness refused a request of a test.
public enum HarnessError: Error, Hashable, Sendable {
    case noSuchParticipant(String)
    /// The app is closed.
    case appIsClosed
    /// No view called like that takes the action; `screen` is the text of the app's screen.
    case noSuchView(String, screen: String)
    /// Several views called like that take the action.
    case ambiguous(String, screen: String)
    /// The screen refused the action.
    case action(ParleyView.ActionError)
    case host(HostError)
    /// The transcript, given in `transcript`, has no such message.
    case noSuchMessage(String, transcript: [String])
    /// The participant's machine is off.
    case isAway
}
