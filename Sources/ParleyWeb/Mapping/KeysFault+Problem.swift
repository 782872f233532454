import ParleyAPI
import ParleyNode

extension KeysFault {
    /// The problem of the conversation called `name`.
    func problem(of name: String) -> Problem {
        let hint: String
        let sentence: String
        switch self {
        case .thrownOut:
            sentence = "The keys of \(name) were changed without this device."
            hint = "To be back, leave it, and join with a new invite of a member."
        case .missing:
            sentence = "The keys of \(name) for this device have not come yet."
            hint = "They come with the first link to a member; see: parley peers"
        case .open:
            sentence = "Everybody can join \(name), so nobody can be thrown out of it."
            hint = "Create a conversation for some: parley conversation create NAME"
        case .readOnly:
            sentence = "Only writers change the keys of \(name)."
            hint = "Ask one; parley conversation members NAME lists them."
        case .notAdmitted:
            sentence = "This device has no rank in \(name) yet: nobody said who let it in."
            hint = "Wait until parley peers shows a member that has one as connected."
        case .lower:
            sentence = "Who changed the keys of \(name) without this device stands higher."
            hint = "To be back, ask for a new invite."
        case .unknownMember(let typed):
            sentence = "No member of \(name) is called \(typed.quoted)."
            hint = "See who is: parley conversation members NAME"
        case .oneself:
            sentence = "This device cannot throw itself out of \(name)."
            hint = "To leave it: parley conversation leave NAME"
        }
        let isGone = [.thrownOut, .missing].contains(self)
        return Problem(isGone ? .notMember : .keysRefused, sentence, hint: hint)
    }
}
