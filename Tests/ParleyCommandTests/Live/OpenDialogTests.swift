import Foundation
import ParleyAPI
import TestSupport
import Testing

/// `parley open` of an app that presents alerts and a controller.
@Suite(.timeLimit(.minutes(5)))
struct OpenDialogTests {
    @Test func dialogsAreAnsweredInATerminal() async throws {
        let directory = try TestDirectory()
        let program = Program.url.deletingLastPathComponent().appending(path: "page-apps")
        let node = try await NodeProcess(data: directory.path("data"), program: program)
        _ = try await node.ask(Conversation.self, "conversation", "create", "games")
        func open(_ lines: String...) async throws -> String {
            let input = Data(lines.map { $0 + "\n" }.joined().utf8)
            let finished = try await node.run("open", "notes", "-c", "games", input: input)
            #expect(finished.status == 0, "\(finished.errorText)")
            return finished.text
        }

        // The dialog has the numbers; the views of the app below it have none.
        let asked = try await open("2", "1 Milk", "3", "q")
        let dialog = """
            │ New note
            │ It is for everybody.
            │ 1 <Note: Milk>
            │ 2 <Tag: fun>
            │ 3 [Add]
            │ 4 [Cancel]
            """
        #expect(asked.contains(dialog), "\(asked)")
        #expect(asked.contains("\n[Add]\n[Delete all]\n"))
        let shown = try #require(asked.components(separatedBy: "Notes in games").last)
        #expect(shown.contains("Milk#fun"))
        #expect(!shown.contains("│"), "the dialog has ended")

        // One dialog follows another, a button that does nothing has no number, and a controller
        // has a way out.
        #expect(try await open("3", "1", "q").contains("│ Really?"))
        #expect(try await open("4", "q").contains("│ 1 [By name]\n│ [At random]\n"))
        let page = try await open("5", "2", "q")
        #expect(page.contains("│ Notes of a group\n│ 1 [Thanks]\n│ 2 [Close]\n"))
        let last = try #require(page.components(separatedBy: "Notes in games").last)
        #expect(last.contains("5 [About]"))
        await #expect(node.end() == 0)
    }
}
