import Foundation
import Messages

final class MessagesViewController: MSMessagesAppViewController {
    private var round: Round?
    private(set) var lastError: NSError?
    private var savedConversation: MSConversation?

    required init?(coder aDecoder: NSCoder) {
        super.init(coder: aDecoder)
    }

    override init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {
        super.init(nibName: nibNameOrNil, bundle: nibBundleOrNil)
    }

    override func didReceiveMemoryWarning() {
        super.didReceiveMemoryWarning()
    }

    override func willBecomeActive(with conversation: MSConversation) {
        super.willBecomeActive(with: conversation)
        savedConversation = conversation
        guard let message = conversation.selectedMessage, let url = message.url else { return }
        round = Round(url: url)
    }

    override func didSelect(_ message: MSMessage, conversation: MSConversation) {
        super.didSelect(message, conversation: conversation)
        round = message.url.flatMap { Round(url: $0) }
    }

    override func didResignActive(with conversation: MSConversation) {
        super.didResignActive(with: conversation)
        savedConversation = nil
    }

    override func didStartSending(_ message: MSMessage, conversation: MSConversation) {
        super.didStartSending(message, conversation: conversation)
        requestPresentationStyle(.compact)
    }

    override func didCancelSending(_ message: MSMessage, conversation: MSConversation) {
        super.didCancelSending(message, conversation: conversation)
    }

    func set(_ word: String) -> MSMessage {
        let conversation = activeConversation ?? savedConversation
        let round = Round(word: word, setter: conversation?.localParticipantIdentifier.uuidString)
        self.round = round
        return message(for: round, session: MSSession())
    }

    func guess(_ letter: Character, after message: MSMessage) -> MSMessage? {
        guard let round = round, round.lives > 0 else { return nil }
        round.tried.append(letter)
        return self.message(for: round, session: message.session ?? MSSession())
    }

    private func message(for round: Round, session: MSSession) -> MSMessage {
        let layout = MSMessageTemplateLayout()
        layout.imageTitle = round.shown
        layout.imageSubtitle = "\(round.lives) lives"
        layout.caption = NSLocalizedString("Guess a letter", comment: "under the picture")
        let message = MSMessage(session: session)
        message.layout = layout
        message.url = round.url
        message.summaryText = layout.caption
        return message
    }
}
