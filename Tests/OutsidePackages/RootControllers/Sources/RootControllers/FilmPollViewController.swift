import Messages
import UIKit
import os

/// A poll about a film, whose ballots are in the query of the URL.
public class FilmPollViewController: MSMessagesAppViewController {
    private let logger = Logger(subsystem: "example.filmpoll", category: "ballots")
    private var poll = FilmPoll()
    private var countdown: Timer?
    private var seconds = 0

    override public func viewDidLoad() {
        super.viewDidLoad()
        view?.backgroundColor = .secondarySystemBackground
        countdown = Timer.scheduledTimer(withTimeInterval: 0.01, repeats: true) {
            [weak self] timer in
            guard let self = self else { return timer.invalidate() }
            self.seconds += 1
            if self.seconds == 3 {
                timer.invalidate()
                self.setNeedsBodyUpdate()
            }
        }
    }

    override public func willBecomeActive(with conversation: MSConversation) {
        let friend = conversation.remoteParticipantIdentifiers[0]
        logger.info(
            "active with \(friend.uuidString, privacy: .public), \(self.poll.ballots.count) so far"
        )
        if let message = conversation.selectedMessage, let url = message.url {
            poll = FilmPoll(url: url) ?? FilmPoll()
        }
    }

    override public func didSelect(_ message: MSMessage, conversation: MSConversation) {
        guard let url = message.url, let poll = FilmPoll(url: url) else {
            logger.error("a message without a poll")
            return
        }
        self.poll = poll
    }

    override public func willResignActive(with conversation: MSConversation) {
        countdown?.invalidate()
    }

    override public var body: ParleyView {
        ParleyView.column {
            ParleyView.text(seconds < 3 ? "Wait" : "Vote now")
            for film in FilmPoll.films {
                ParleyView.button("\(film): \(poll.votes(for: film))") { self.vote(film) }.id(film)
            }
        }
    }

    private func vote(_ film: String) {
        guard let conversation = activeConversation else {
            preconditionFailure("Expected a conversation")
        }
        poll.ballots[conversation.localParticipantIdentifier.uuidString] = film
        let message = MSMessage(session: conversation.selectedMessage?.session ?? MSSession())
        let layout = MSMessageTemplateLayout()
        layout.caption = "$\(conversation.localParticipantIdentifier) voted"
        layout.subcaption = "Also asked: $\(conversation.remoteParticipantIdentifiers[0])"
        message.layout = layout
        message.url = poll.url
        message.summaryText = "A vote"
        conversation.insert(message, completionHandler: nil)
    }
}

struct FilmPoll {
    static let films = ["Metropolis", "Stalker"]
    var ballots: [String: String] = [:]

    func votes(for film: String) -> Int {
        ballots.values.filter { $0 == film }.count
    }

    var url: URL {
        var components = URLComponents()
        components.scheme = "https"
        components.host = "films.example"
        components.queryItems = ballots.keys.sorted().map {
            URLQueryItem(name: $0, value: ballots[$0])
        }
        guard let url = components.url else { preconditionFailure("Invalid components") }
        return url
    }
}

extension FilmPoll {
    init?(url: URL) {
        guard let items = NSURLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems
        else {
            return nil
        }
        for item in items { ballots[item.name] = item.value }
    }
}
