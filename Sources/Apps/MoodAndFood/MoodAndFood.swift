import Foundation
import Messages

/// Tells the others a person's mood or favourite dish.
///
/// The app has a menu and two screens behind it, each a child controller: the mood screen takes
/// either style, the food list needs expanded. `Place` decides where an event leads.
public final class MoodAndFood: MSMessagesAppViewController {
    private var place = Place.compactMenu
    /// The latest choice of any participant, for the menu.
    private(set) var latest: Choice?
    /// The participant who made the latest choice.
    private(set) var speaker: UUID?
    private(set) var isWaitingForSend = false

    // The only child is one of these screens. All are kept, with the text that a person has typed.
    private lazy var menu = MenuScreen(self)
    private lazy var food = FoodScreen(self)
    private lazy var mood = MoodScreen(self)

    // MARK: Events

    /// The app was opened, perhaps by tapping a message.
    public override func willBecomeActive(with conversation: MSConversation) {
        place = presentationStyle == .compact ? .compactMenu : .expandedMenu
        look(at: conversation.selectedMessage)
        mood.note = noteFile.flatMap { try? String(contentsOf: $0, encoding: .utf8) } ?? ""
        show(menu)
    }

    /// The app is being closed, and keeps unsent words for the next time.
    public override func willResignActive(with conversation: MSConversation) {
        // If this fails, the words are lost.
        if let noteFile { try? Data(mood.note.utf8).write(to: noteFile, options: .atomic) }
    }

    /// The file for unsent words, one for each conversation, as participants differ between them.
    private var noteFile: URL? {
        guard let me = activeConversation?.localParticipantIdentifier else { return nil }
        return documentsDirectory?.appending(path: "note-\(me.uuidString).txt")
    }

    /// Another message was tapped.
    public override func didSelect(_ message: MSMessage, conversation: MSConversation) {
        look(at: message)
    }

    /// Somebody else has chosen something.
    public override func didReceive(_ message: MSMessage, conversation: MSConversation) {
        look(at: message)
    }

    /// The choice is on its way.
    public override func didStartSending(_ message: MSMessage, conversation: MSConversation) {
        isWaitingForSend = false
        if Choice(message: message)?.note == Choice.tidy(mood.note) { mood.note = "" }
        look(at: message)
    }

    /// The choice was removed from the input field.
    public override func didCancelSending(_ message: MSMessage, conversation: MSConversation) {
        isWaitingForSend = false
    }

    /// The style was changed by hand, or because this app has asked for it.
    public override func didTransition(to presentationStyle: MSMessagesAppPresentationStyle) {
        handle(presentationStyle == .compact ? .collapse : .expand)
    }

    private func look(at message: MSMessage?) {
        guard let message, let choice = Choice(message: message) else { return }
        latest = choice
        speaker = message.senderParticipantIdentifier
    }

    // MARK: Where it leads

    func handle(_ event: Place.Event) {
        let next = place.next(after: event)
        guard next != place else { return }
        place = next
        switch next.screen {
        case .menu: show(menu)
        case .food: show(food)
        case .mood: show(mood)
        case nil: return dismiss()
        }
        requestPresentationStyle(next.isExpanded ? .expanded : .compact)
    }

    private func show(_ screen: UIViewController) {
        guard screen.parent == nil else { return }
        for child in children {
            child.willMove(toParent: nil)
            child.removeFromParent()
        }
        addChild(screen)
        screen.didMove(toParent: self)
    }

    // MARK: Choices

    func choose(_ choice: Choice) {
        guard let conversation = activeConversation else { return }
        let session = conversation.selectedMessage?.session ?? MSSession()
        let me = conversation.localParticipantIdentifier
        conversation.insert(choice.message(in: session, from: me))
        isWaitingForSend = true
    }
}
