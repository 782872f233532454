import Messages
import Testing

/// A value that an app hands over reaches the host as it was then; the app is answered once.
@Suite(.timeLimit(.minutes(20))) struct ConversationTests {
    @Test func handsOverValues() {
        let host = DeskHost()
        let conversation = host.makeConversation()
        let message = MSMessage(session: MSSession())
        message.url = URL(string: "?step=1")
        conversation.insert(message)
        message.url = URL(string: "?step=2")
        conversation.send(message)
        conversation.insertText("text", completionHandler: nil)
        conversation.sendText("text")
        let file = URL(filePath: "/tmp/menu.pdf")
        conversation.insertAttachment(file, withAlternateFilename: "Menu")
        conversation.sendAttachment(file, withAlternateFilename: nil, completionHandler: nil)
        #expect(host.kept.inserted[0].contents?.urlString == "?step=1")
        #expect(host.kept.sent[0].contents?.urlString == "?step=2")
        #expect(host.kept.sent[0].contents?.session == message.session?.identifier)
        #expect(host.kept.inserted.count == 3)
        #expect(host.kept.sent.count == 3)
        guard case .attachment(file, alternateFilename: "Menu") = host.kept.inserted[2] else {
            Issue.record("the attachment got lost")
            return
        }
    }

    /// On the main queue, exactly once, also on failure, and not before the call has returned.
    @Test @MainActor func answersOnce() {
        let failure = MessagesFailure(.sendWhileNotVisible, "Not now.")
        for (answer, code) in [
            (DeskHost.Answer.succeed, nil), (.fail(failure), 10), (.forget, -1 as Int?),
        ] {
            let host = DeskHost(answer)
            let answers = Answers(host)
            let conversation = host.makeConversation()
            conversation.insert(MSMessage(), completionHandler: answers.handler)
            conversation.sendText("text", completionHandler: answers.handler)
            #expect(answers.all == [code, code])
        }
    }

    @Test @MainActor func aFinishedCompletionStaysFinished() {
        let host = DeskHost()
        let answers = Answers(host)
        let completion = Completion(on: host.completionQueue, handler: answers.handler)
        completion.succeed()
        completion.succeed()
        completion.fail(MessagesFailure(.unknown, "Too late."))
        #expect(answers.all == [nil])
    }

    @Test func awaitsAnswers() async throws {
        let host = DeskHost()
        let conversation = host.makeConversation()
        try await conversation.insert(MSMessage())
        try await conversation.send(MSMessage())
        try await conversation.insertText("text")
        try await conversation.sendText("text")
        let file = URL(filePath: "/tmp/menu.pdf")
        try await conversation.insertAttachment(file, withAlternateFilename: nil)
        try await conversation.sendAttachment(file, withAlternateFilename: nil)
        #expect(host.kept.inserted.count == 3 && host.kept.sent.count == 3)
    }

    /// The host owns the conversation, so an app that keeps one for too long gets errors.
    @Test func failsWithoutHost() async {
        let conversation = DeskHost().makeConversation()
        let error = await #expect(throws: NSError.self) {
            try await conversation.insert(MSMessage())
        }
        #expect(error?.code == MSMessageErrorCode.unknown.rawValue)
        #expect(error?.domain == MSMessagesErrorDomain)
    }
}
