import ParleyYAML

/// A word of the arguments that names no command or no option.
///
/// ArgumentParser checks such words last. Instead it reports a misspelt option as missing, and
/// prints the program's help for `help` with an unknown command.
enum UsageMistake: Equatable {
    case unknownCommand(String, near: String?)
    case unknownOption(String, near: String?)

    /// The options that ArgumentParser adds and does not describe.
    private static let hidden: Set<String> = [
        "--help-hidden", "--experimental-dump-help", "--generate-completion-script",
    ]

    /// Finds the first mistake in the arguments of a program, without its name.
    init?(in arguments: [String], of root: CommandTree) {
        var words = arguments[...]
        let asksForHelp = words.first == "help"
        if asksForHelp { words = words.dropFirst() }
        var command = root
        var path: [String] = []
        while let word = words.first, let next = command.subcommand(word) {
            command = next
            path.append(word)
            words = words.dropFirst()
        }
        if let word = words.first, !word.hasPrefix("-"),
            asksForHelp || command.subcommands?.isEmpty == false
        {
            let names = command.subcommands?.map(\.commandName) ?? []
            let near = Self.nearest(to: word, of: names)
            self = .unknownCommand(
                (path + [word]).joined(separator: " "),
                near: near.map { (path + [$0]).joined(separator: " ") }
            )
            return
        }
        guard let name = Self.firstUnknownOption(in: words, of: command) else { return nil }
        let names = command.arguments?.flatMap { $0.names ?? [] }.map(\.text) ?? []
        let long = names.filter { $0.hasPrefix("--") }
        self = .unknownOption(name, near: Self.nearest(to: name, of: long))
    }

    /// The error, and the word that was probably meant.
    var message: String {
        let (error, near) =
            switch self {
            case .unknownCommand(let name, let near): ("There is no command '\(name)'.", near)
            case .unknownOption(let name, let near): ("Unknown option '\(name)'.", near)
            }
        return error + (near.map { " Did you mean '\($0)'?" } ?? "")
    }

    /// The first option that the command does not have; values of options do not count.
    private static func firstUnknownOption(
        in words: ArraySlice<String>,
        of command: CommandTree
    ) -> String? {
        var isValue = false
        for word in words {
            if word == "--" { return nil }
            if isValue || !word.hasPrefix("-") || word == "-" {
                isValue = false
                continue
            }
            let name = String(word.prefix { $0 != "=" })
            if let argument = command.argument(name) {
                isValue = argument.takesValue && name == word
            } else if let last = command.lastOfCluster(name) {
                isValue = last.takesValue
            } else if !hidden.contains(name) {
                return name
            }
        }
        return nil
    }

    /// The name with the fewest mistakes, if few for its length.
    private static func nearest(to word: String, of names: [String]) -> String? {
        let near = names.map { (name: $0, distance: NearMiss.distance(word, $0)) }
            .min { $0.distance < $1.distance }
        guard let near, near.distance <= (near.name.filter(\.isLetter).count + 2) / 3 else {
            return nil
        }
        return near.name
    }
}
