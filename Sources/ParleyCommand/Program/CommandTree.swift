import ArgumentParser
import Foundation

/// A command with its options and subcommands, as ArgumentParser describes them.
struct CommandTree: Decodable {
    /// An option, a flag, or an argument without a name.
    struct Argument: Decodable {
        let kind: String
        let names: [Name]?

        /// Whether a value follows the name.
        var takesValue: Bool { kind == "option" }
    }

    /// A name of an option or flag.
    struct Name: Decodable {
        let kind: String
        let name: String

        /// The name as a person types it.
        var text: String { (kind == "long" ? "--" : "-") + name }
    }

    let commandName: String
    let subcommands: [CommandTree]?
    let arguments: [Argument]?

    /// The root of the commands; nil if ArgumentParser describes them in another form.
    static var root: CommandTree? {
        struct Description: Decodable { let command: CommandTree }
        // Without a tree, ArgumentParser's own words report a misspelt word.
        return try? JSONDecoder().decode(Description.self, from: Data(ParleyRoot._dumpHelp().utf8))
            .command
    }

    /// The subcommand of that name.
    func subcommand(_ name: String) -> CommandTree? {
        subcommands?.first { $0.commandName == name }
    }

    /// The option or flag of the name, hyphens included.
    func argument(_ name: String) -> Argument? {
        arguments?.first { $0.names?.contains { $0.text == name } ?? false }
    }

    /// The last of several one-letter names after one hyphen, as in `-fc`; nil for any other word.
    func lastOfCluster(_ word: String) -> Argument? {
        guard word.hasPrefix("-"), !word.hasPrefix("--") else { return nil }
        let letters = word.dropFirst().map { argument("-\($0)") }
        return letters.contains { $0 == nil } ? nil : letters.last ?? nil
    }
}
