import Foundation
import Messages

/// Throws of two dice by each side, compared; sent directly, not staged.
struct Duel {
    var throwsOfDice: [String: [Int]] = [:]

    init() {}

    init(_ url: URL?) {
        guard let url, let items = URLComponents(string: url.absoluteString)?.queryItems else {
            return
        }
        for item in items {
            throwsOfDice[item.name] = item.value?.split(separator: ",").compactMap { Int($0) }
        }
    }

    var url: URL? {
        var components = URLComponents()
        components.path = "duel"
        components.queryItems = throwsOfDice.sorted { $0.key < $1.key }.map {
            URLQueryItem(name: $0.key, value: $0.value.map(String.init).joined(separator: ","))
        }
        return components.url
    }

    var leader: String? {
        throwsOfDice.max { $0.value.reduce(0, +) < $1.value.reduce(0, +) }?.key
    }
}

enum SendOutcome: Equatable {
    case sent
    case tooLong
    case refused(Int)
}

class DuelViewController: MSMessagesAppViewController {
    var duel = Duel()
    var outcome: SendOutcome?

    func message(_ session: MSSession?) -> MSMessage {
        let message: MSMessage
        if let session { message = MSMessage(session: session) } else { message = MSMessage() }
        message.url = duel.url
        let layout = MSMessageTemplateLayout()
        layout.caption = "Your throw"
        message.layout = layout
        message.shouldExpire = true
        return message
    }

    func sendThrow(in conversation: MSConversation) async {
        do {
            try await conversation.send(message(conversation.selectedMessage?.session))
            outcome = .sent
        } catch {
            let code = (error as NSError).code
            switch MSMessageErrorCode(rawValue: code) {
            case .urlExceedsMaxSize?: outcome = .tooLong
            default: outcome = .refused(code)
            }
        }
    }

    func sendWithHandler(in conversation: MSConversation) {
        conversation.send(message(nil)) { [weak self] error in
            let code = (error as NSError?)?.code
            DispatchQueue.main.async { [weak self] in
                self?.outcome = code == nil ? .sent : .refused(code ?? 0)
            }
        }
        conversation.sendText("I threw", completionHandler: nil)
        conversation.sendText("I threw")
    }
}
