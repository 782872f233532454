public import Messages
public import MessagesHost

/// Why a harness could not do what a test asked.
public enum HarnessError: Error, Hashable, Sendable {
    case noSuchParticipant(String)
    /// The app is closed.
    case appIsClosed
    /// No view that takes the action has that name; `screen` is what the app shows.
    case noSuchView(String, screen: String)
    /// Several views that take the action have that name.
    case ambiguous(String, screen: String)
    /// The screen refused the action.
    case action(ParleyView.ActionError)
    case host(HostError)
    /// The transcript has no such message; `transcript` is what it shows.
    case noSuchMessage(String, transcript: [String])
    /// The participant's machine is off.
    case isAway
}
