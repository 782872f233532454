import Foundation
import Messages
import MessagesHost

/// A game with seats: everybody in turn adds one, and the person who presses "Win" has won.
final class Tally: MSMessagesAppViewController, ParleyApp {
    /// The session and count that are shown.
    private(set) var matchSession: MSSession?
    private var count = 0
    /// The matches that the app was told of.
    private(set) var told: [ParleyMatch] = []
    /// The seconds for each turn of the next match.
    var clock: Int?
    /// Whether the next message may be taken back.
    var mayUndo = false

    static let app = HostedApp(Tally.self, id: "tally", seats: 2...3)

    override func willBecomeActive(with conversation: MSConversation) {
        show(conversation.selectedMessage)
    }
    override func didSelect(_ message: MSMessage, conversation: MSConversation) { show(message) }

    func matchDidChange(
        _ match: ParleyMatch,
        message: MSMessage,
        conversation: MSConversation
    ) {
        told.append(match)
        if matchSession == nil || match.isOf(matchSession) || match.isRematch(of: matchSession) {
            show(message)
        }
    }

    func newMatch(in session: MSSession, conversation: MSConversation) -> MSMessage? {
        let message = message(0, in: session)
        conversation.parley?.setClock(clock, for: message)
        return message
    }

    private func show(_ message: MSMessage?) {
        guard let message, let text = message.url?.absoluteString.dropFirst(3) else { return }
        matchSession = message.session
        count = Int(text) ?? 0
    }

    private func message(_ count: Int, in session: MSSession) -> MSMessage {
        let message = MSMessage(session: session)
        message.url = URL(string: "?n=\(count)")
        message.summaryText = "Count \(count)"
        let layout = MSMessageTemplateLayout()
        layout.caption = "Count \(count)"
        message.layout = layout
        return message
    }

    private func go(ending: Bool) {
        guard let conversation = activeConversation, let matchSession,
            let match = conversation.parley?.match(in: matchSession)
        else { return }
        let message = message(count + 1, in: matchSession)
        if ending {
            conversation.parley?
                .setOutcomes(match.seats.map { $0.isMe ? .won : .lost }, for: message)
        } else if mayUndo {
            let next = match.seats.first { !$0.isMe }.map { [$0.participant] } ?? []
            conversation.parley?.setTurn(next, mayUndo: true, for: message)
        }
        conversation.send(message)
    }

    override var body: ParleyView {
        .column {
            ParleyView.text("Count \(count)")
            ParleyView.button("Add") { self.go(ending: false) }
            ParleyView.button("Win") { self.go(ending: true) }
        }
    }
}
