public import Messages

/// Why a harness could not do what a test asked.
public enum HarnessError: Error, Hashable, Sendable {
    case noSuchParticipant(String)
    /// The app is closed.
    case appIsClosed
    /// What the screen shows instead.
    case noSuchView(String, screen: String)
    /// Several views are called so.
    case ambiguous(String, screen: String)
    /// The app or the screen did not take it.
    case action(View.ActionError)
    case host(HostError)
    /// What the transcript shows instead.
    case noSuchMessage(String, transcript: [String])
    /// The participant's machine is off.
    case isAway
}
