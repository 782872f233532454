import ArgumentParser
import ParleyAPI
import ParleyWeb

/// `parley apps`.
struct AppsCommand: NodeRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "apps",
        abstract: "List the apps of the node.",
        discussion: """
              parley apps
              parley open tictactoe -c games

            docs/writing-apps.md describes how to write an app.
            """
    )
    @OptionGroup var common: CommonOptions

    func run(_ client: ControlClient) async throws {
        let apps = try await client.get("apps", as: [AppDocument].self)
        if common.json { return try Output.standard.document(apps) }
        guard !apps.isEmpty else {
            Output.standard.line("This program has no apps.")
            return
        }
        var table = TextTable(["ID", "NAME", "RUNS"])
        for app in apps {
            let isRunning = app.headless == true
            table.add([
                TerminalText.safe(app.id), TerminalText.safe(app.name),
                isRunning ? "always" : app.hasScreen == false ? "with --headless" : "when opened",
            ])
        }
        Output.standard.table(table)
    }
}
