import ParleyCommand
import Testing

/// The `--data` of a command in the commands that it prints.
@Suite struct CommandHintTests {
    @Test func commandsAreForTheSameNode() {
        #expect(CommandHint.command("dice invite games", data: nil) == "dice invite games")
        #expect(CommandHint.command("dice node", data: "") == "dice node")
        #expect(CommandHint.command("dice node", data: "/d/x") == "dice node --data /d/x")
        #expect(CommandHint.command("dice node", data: "/my d") == "dice node --data '/my d'")
    }

    @Test(arguments: [
        "start one with: parley node": "start one with: parley node --data /d",
        "See: parley transcript -c NAME": "See: parley transcript -c NAME --data /d",
        // Not to be pasted, or for another node.
        "Ask for a new invite: parley invite NAME.": "Ask for a new invite: parley invite NAME.",
        "Wait until parley peers shows a node": "Wait until parley peers shows a node",
        "Start it without --no-web.": "Start it without --no-web.",
        "": "",
    ])
    func aHintThatEndsWithACommandLeadsToTheSameNode(hint: String, told: String) {
        #expect(CommandHint.hint(hint, data: "/d") == told)
        #expect(CommandHint.hint(hint, data: nil) == hint)
    }
}
