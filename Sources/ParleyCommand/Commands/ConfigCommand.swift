import ArgumentParser
import Foundation
import ParleyAPI
import ParleyYAML

/// `parley config`.
struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Check a node's configuration, or print it.",
        discussion: """
              parley config check /etc/parley/parley.yaml
              parley config show

            A configuration is a YAML file, which parley node reads with --config FILE or \
            PARLEY_CONFIG. Options of parley node precede environment variables, such as \
            PARLEY_LISTEN for listen and PARLEY_LIMITS_LINKS for limits.links, and those precede \
            the file.
            """,
        subcommands: [ConfigCheckCommand.self, ConfigShowCommand.self]
    )
}

/// `parley config check`.
struct ConfigCheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Say whether a file is a configuration; nothing but the file is opened."
    )
    @Argument(help: "The file (default: PARLEY_CONFIG, or \(ConfigurationFile.usual)).")
    var file: String?
    @Flag(help: "Print JSON for programs.") var json = false

    func run() throws {
        let environment = ProcessInfo.processInfo.environment
        let path =
            ConfigurationFile.path(option: file, environment: environment)
            ?? ConfigurationFile.usual
        _ = try Configuration(file: path, environment: [:])
        if json {
            try Output.standard.document(["file": path])
        } else {
            Output.standard.line("\(TerminalText.safe(path)) can be used.")
        }
    }
}

/// `parley config show`.
struct ConfigShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Print every key with its value, and where that comes from."
    )
    @Argument(help: "The file (default: PARLEY_CONFIG, or none).") var file: String?
    @Flag(help: "Print JSON for programs.") var json = false

    /// A key with its present value.
    private struct Row: Encodable {
        let key: String
        let value: String?
        let origin: String
        let line: Int?
        let meaning: String
        let variable: String
    }

    func run() throws {
        let environment = ProcessInfo.processInfo.environment
        let path = ConfigurationFile.path(option: file, environment: environment)
        let configuration = try Configuration(file: path, environment: environment)
        let rows = ConfigurationKey.all.map { key in
            let (origin, line) = Self.words(configuration.origin(of: key))
            return Row(
                key: key.name,
                value: key.text(configuration.options),
                origin: origin,
                line: line,
                meaning: key.meaning,
                variable: key.variable
            )
        }
        if json { return try Output.standard.document(rows) }
        var table = TextTable(["KEY", "VALUE", "FROM"])
        for row in rows {
            let line = row.line.map { ":\($0)" } ?? ""
            table.add([row.key, TerminalText.safe(row.value ?? "–"), row.origin + line])
        }
        Output.standard.table(table)
    }

    private static func words(_ origin: Configuration.Origin) -> (String, Int?) {
        switch origin {
        case .standard: ("default", nil)
        case .file(let path, let line): (TerminalText.safe(path), line)
        case .variable(let name): (name, nil)
        case .option: ("option", nil)
        }
    }
}
