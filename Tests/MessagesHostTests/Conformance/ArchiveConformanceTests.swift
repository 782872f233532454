import Foundation
import Messages
import MessagesHost
import MessagesTesting
import ParleyNode
import Testing

/// messages-api.md, section 11, line 11: archived messages.
///
/// The round trip itself is in `MessagesTests`, suite `ArchiveTests`.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct ArchiveConformanceTests {
    /// "Equality of the decoded session", and that Apple's header allows to save a selected message
    /// to disk, to load it later, to change it and to stage it: section 3, "copying/coding".
    @Test(arguments: [true, false])
    func aSavedMessageIsStagedInItsSession(isLive: Bool) throws {
        let table = try Table()
        let conversation = try table.opened()
        let message = MSMessage("?1", in: MSSession())
        if isLive {
            message.layout = MSMessageLiveLayout(alternateLayout: MSMessageTemplateLayout())
        }
        conversation.send(message)
        table.harness.settle()
        try table.ben.tapBubble()
        let selected = try #require(table.ben.conversation?.selectedMessage)
        let saved = try NSKeyedArchiver.archivedData(
            withRootObject: selected,
            requiringSecureCoding: true
        )
        table.ben.goAway()
        table.ben.comeBack()
        try table.ben.open()
        let loaded = try #require(
            try NSKeyedUnarchiver.unarchivedObject(ofClass: MSMessage.self, from: saved)
        )
        #expect(loaded.session == message.session)
        #expect(!loaded.isPending)
        #expect(loaded.senderParticipantIdentifier == table.ann.participant)
        #expect((loaded.layout is MSMessageLiveLayout) == isLive)
        loaded.url = URL(string: "?2")
        table.ben.conversation?.insert(loaded)
        table.harness.settle()
        #expect(loaded.isPending)
        try table.ben.send()
        #expect(!loaded.isPending)
        let shown = table.ann.bubbles.filter { $0.kind == .message }
        #expect(shown.map(\.url) == ["?2"], "it replaces the one it was saved from")
        #expect(shown.map(\.sender.name) == ["ben"])
    }
}
