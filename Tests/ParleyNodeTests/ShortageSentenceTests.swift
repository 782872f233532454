import ParleyCore
import ParleyNode
import Testing

/// People are told what is used up, and what they can do about it.
@Suite struct ShortageSentenceTests {
    @Test(arguments: [
        (Shortage.conversation, "chess has as many messages", "or leave this one"),
        (.openConversations, "chess and all other open conversations", "or leave this one"),
        (.allConversations, "quotas.all-conversations admits", "or raise that quota"),
        (.device(DeviceID(Bytes32.zero)), "messages in chess as one device", "or leave this one"),
        (.origins, "many devices have written in chess", "or leave this one"),
    ])
    func theSentenceNamesTheCure(shortage: Shortage, obstacle: String, cure: String) {
        let sentence = shortage.sentence(in: "chess")
        #expect(sentence.contains(obstacle) && sentence.contains(cure))
    }

    @Test func aNameCannotWriteAnotherLine() {
        #expect(!Shortage.conversation.sentence(in: "chess\nerror").contains("\n"))
    }
}
