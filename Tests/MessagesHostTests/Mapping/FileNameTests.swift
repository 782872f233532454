import Foundation
import MessagesHost
import ParleyNode
import Testing

/// Files are called as the rule for names says, whatever they are called where they come from.
@Suite struct FileNameTests {
    @Test(arguments: [
        ("menu.pdf", "menu.pdf"), (" cafe\u{301}.txt ", "caf\u{e9}.txt"),
        ("report\u{202e}fdp.exe", "reportfdp.exe"), ("/etc/passwd", "passwd"), ("../..", "file"),
        ("", "file"), ("\u{3164}", "file"), ("a\u{0}b\nc", "abc"),
    ])
    func aNameHidesNothing(_ name: String, _ shown: String) throws {
        let draft = try OutgoingMessage.draft(file: Data([1, 2, 3]), name: name)
        let caption = try #require(draft.content.layout?.caption)
        #expect(Array(caption.utf8) == Array(shown.utf8))
    }
}
