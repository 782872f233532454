import ParleyCommand
import Testing

/// The name of the program in hints and help texts.
@Suite struct ProgramNameTests {
    @Test(arguments: [
        "/usr/local/bin/dice-duel": "dice-duel", "./parley": "parley", "dice": "dice",
        "": "parley", "/": "parley",
    ])
    func isTheEndOfThePath(path: String, name: String) {
        #expect(ProgramName.name(ofPath: path) == name)
    }

    @Test(arguments: [
        "See: parley apps": "See: dice apps",
        "Make one: parley invite NAME, then parley join -.":
            "Make one: dice invite NAME, then dice join -.",
        "  parley node\n  seq 9 | parley send -c x": "  dice node\n  seq 9 | dice send -c x",
        "parley help node": "dice help node",
        // Not a command: a link, a prefix, a conversation's name, another word.
        "parley:abc": "parley:abc", "my-parley nodes": "my-parley nodes",
        "transcript -c 'the parley games'": "transcript -c 'the parley games'",
        "unparley node": "unparley node", "parley": "parley", "": "",
    ])
    func standsBeforeCommands(text: String, filled: String) {
        let commands: Set = ["apps", "help", "invite", "join", "node", "send"]
        #expect(ProgramName.filled(into: text, name: "dice", commands: commands) == filled)
    }
}
