import ArgumentParser
import Synchronization

/// The name of the running program, for hints that fit a program built by an app author.
///
/// The sources write every hint and help text for `parley`; printing replaces the name.
package enum ProgramName {
    /// The last part of the path with which the program was started.
    static let text = name(ofPath: CommandLine.arguments.first ?? "")

    /// The name of the program at a path; `parley` if the path has none.
    package static func name(ofPath path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? "parley"
    }

    /// Returns the text with the program's name in place of each `parley` before one of `commands`.
    ///
    /// Other words stay, such as the name of a conversation that happens to contain `parley`.
    package static func filled(into text: String, name: String, commands: Set<String>) -> String {
        let parts = text.split(separator: "parley ", omittingEmptySubsequences: false)
        var result = String(parts[0])
        for part in parts.dropFirst() {
            let command = String(part.prefix { $0.isLetter })
            let isWord = !(result.last.map { $0.isLetter || $0.isNumber } ?? false)
            result += isWord && commands.contains(command) ? name : "parley"
            result += " " + part
        }
        return result
    }

    /// Returns the text with the name of the running program.
    static func filled(into text: String) -> String {
        filled(into: text, name: Self.text, commands: commands.withLock { $0 })
    }

    private static let commands = Mutex<Set<String>>([])

    /// Takes the names of the commands below the root, before any text is filled.
    static func learn(from root: any ParsableCommand.Type) {
        var names: Set<String> = ["help"]
        let configuration = root.configuration
        // Key paths into these metatypes make the compiler of Swift 6.3.1 crash.
        for group in configuration.groupedSubcommands {
            for command in group.subcommands { add(command, to: &names) }
        }
        for command in configuration.subcommands { add(command, to: &names) }
        commands.withLock { $0 = names }
    }

    private static func add(_ command: any ParsableCommand.Type, to names: inout Set<String>) {
        if let name = command.configuration.commandName { names.insert(name) }
    }
}
