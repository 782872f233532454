import Messages

class MessagesViewController: MSMessagesAppViewController {
    var board = Board()
    var log = [String]()

    override func viewDidLoad() {
        super.viewDidLoad()
        log.append("loaded")
    }

    override func willBecomeActive(with conversation: MSConversation) {
        board = Board(message: conversation.selectedMessage) ?? Board()
    }

    override func didReceive(_ message: MSMessage, conversation: MSConversation) {
        if message.session == conversation.selectedMessage?.session,
            let board = Board(message: message)
        {
            self.board = board
        }
    }

    override func willTransition(to presentationStyle: MSMessagesAppPresentationStyle) {
        if presentationStyle == .compact { log.append("compact") }
    }

    func tapped(_ index: Int, in conversation: MSConversation) {
        guard board.play(index) else { return }
        let session = conversation.selectedMessage?.session ?? MSSession()
        let caption = "$\(conversation.localParticipantIdentifier.uuidString) played \(index)"
        let message = MSMessage(board: board, caption: caption, session: session)
        message.summaryText = "A move"
        conversation.insert(message) { error in
            if let error = error {
                print(error.localizedDescription)
            }
        }
        dismiss()
    }
}
