import Messages
import MessagesHost
import MessagesTesting
import Testing

/// messages-api.md, section 11, line 3: `isPending`, and who sent a message.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct SenderConformanceTests {
    /// Notes what the message in a callback says of itself.
    final class Witness: MSMessagesAppViewController {
        static var notes: [String] = []
        static var senders: [UUID] = []

        override func didStartSending(_ message: MSMessage, conversation: MSConversation) {
            let isMine =
                message.senderParticipantIdentifier == conversation.localParticipantIdentifier
            Self.notes.append("started, pending \(message.isPending), mine \(isMine)")
        }
        override func didReceive(_ message: MSMessage, conversation: MSConversation) {
            let isMine =
                message.senderParticipantIdentifier == conversation.localParticipantIdentifier
            Self.notes.append("received, pending \(message.isPending), mine \(isMine)")
            Self.senders.append(message.senderParticipantIdentifier)
        }
    }

    /// "`isPending` true/false transitions" by the Send button, "sender UUID zero before staging,
    /// equal to local after sending": section 3; Apple's pages `MSMessage.isPending` and
    /// `MSMessage.senderParticipantIdentifier`.
    @Test func pendingUntilSomebodyPressesSend() throws {
        let table = try Table()
        let conversation = try table.opened()
        let message = MSMessage("?a")
        #expect(message.isPending)
        #expect(message.senderParticipantIdentifier == .zero)
        let answers = Answers()
        conversation.insert(message, completionHandler: answers.handler)
        table.harness.settle()
        #expect(try answers.code == nil)
        #expect(conversation.selectedMessage?.url == message.url)
        #expect(conversation.selectedMessage?.isPending == true)
        #expect(table.ben.bubbles.isEmpty)
        #expect(Probe.take() == [])
        try table.ann.send()
        #expect(Probe.take() == ["didStartSending ?a selected ?a compact"])
        #expect(!message.isPending)
        #expect(message.senderParticipantIdentifier == table.ann.participant)
        #expect(message.senderParticipantIdentifier == conversation.localParticipantIdentifier)
        #expect(conversation.selectedMessage?.isPending == false)
        #expect(table.ben.bubbles.map(\.url) == ["?a"])
    }

    /// "`isPending` true/false transitions" by `send`, and in the callbacks: section 5.2; Apple's
    /// page `MSMessage.isPending`.
    @Test func notPendingOnceSendingHasStarted() throws {
        (Witness.notes, Witness.senders) = ([], [])
        let harness = Harness(apps: [Witness.self], participants: ["ann", "ben"])
        let ann = try harness["ann"]
        try ann.open()
        try harness["ben"].open()
        let message = MSMessage("?a")
        ann.conversation?.send(message)
        harness.settle()
        #expect(
            Witness.notes.sorted() == [
                "received, pending false, mine false", "started, pending false, mine true",
            ]
        )
        #expect(!message.isPending && message.error == nil)
    }

    /// "Equal to the same remote UUID for all messages of that peer on the receiver": section 4,
    /// "Identity"; Apple's page `MSMessage.senderParticipantIdentifier`.
    ///
    /// The sender has the same UUID for itself, which differs from Apple's on purpose: section 0,
    /// "Where Parley differs on purpose".
    @Test func oneParticipantHasOneIdentifierEverywhere() throws {
        (Witness.notes, Witness.senders) = ([], [])
        let harness = Harness(apps: [Witness.self], participants: ["ann", "ben"])
        let (ann, ben) = (try harness["ann"], try harness["ben"])
        try ann.open()
        try ben.open()
        for text in ["?1", "?2", "?3"] { ann.conversation?.send(MSMessage(text)) }
        harness.settle()
        let local = try #require(ann.conversation?.localParticipantIdentifier)
        #expect(Witness.senders == [local, local, local])
        #expect(ben.conversation?.remoteParticipantIdentifiers == [local])
    }

    /// A conversation of Apple's has always somebody else in it; here one participant stands for
    /// whoever comes.
    @Test func somebodyElseIsAlwaysThere() throws {
        let harness = Harness(apps: [Probe.self], participants: ["ann"])
        let ann = try harness["ann"]
        try ann.open()
        let conversation = try #require(ann.conversation)
        #expect(conversation.remoteParticipantIdentifiers.count == 1)
        let other = conversation.remoteParticipantIdentifiers[0]
        #expect(other != conversation.localParticipantIdentifier && other != .zero)
        #expect(conversation.parley?.participants.count == 1)
        // Nobody else may move then, and yet nobody is locked out.
        let message = MSMessage("?$\(other)")
        conversation.parley?.setNext([other], for: message)
        conversation.send(message)
        harness.settle()
        conversation.send(MSMessage("?again", in: message.session ?? MSSession()))
        harness.settle()
        #expect(ann.bubbles.last?.url == "?again")
    }
}
