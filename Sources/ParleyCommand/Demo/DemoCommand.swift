import ArgumentParser
import Foundation
import Logging
import ParleyAPI
import ServiceLifecycle
import UnixSignals

/// `parley demo`.
struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Run two nodes on this machine that find each other and play.",
        discussion: """
            The nodes find each other through Avahi, share a conversation, and play one short \
            game with a picture by themselves. Then it is your turn: without --once each node \
            serves a page, to play with apps in the conversation games; the links are printed, and \
            opened in the browser if there is a display. Enter prints new links.

            The nodes keep their data in a temporary directory. Ctrl-C stops both and removes it, \
            with everything that was played. With --data DIR they keep it in DIR/alice and \
            DIR/bob, their logs beside it, and Ctrl-C removes nothing.

              parley demo
              parley demo --once && echo 'it works here'
              parley demo --data played
            """
    )
    @Flag(help: "Play one short session; the exit code is 1 unless both nodes show the same.")
    var once = false
    @Flag(help: "Print the links of the pages without opening them in a browser.")
    var noBrowser = false
    @Option(
        help: ArgumentHelp(
            "Keep the data of the nodes in this directory, without data of an earlier demo.",
            valueName: "dir"
        )
    )
    var data: String?
    @Flag(help: "Print JSON for programs: one document, when the game has ended.")
    var json = false

    func run() async throws {
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [
                    .init(
                        service: DemoService(
                            isOnce: once,
                            asJSON: json,
                            browser: once || noBrowser ? nil : DesktopBrowser(),
                            parent: data.map { URL(filePath: $0) }
                        ),
                        successTerminationBehavior: .gracefullyShutdownGroup,
                        failureTerminationBehavior: .cancelGroup
                    )
                ],
                gracefulShutdownSignals: [.sigint, .sigterm],
                logger: Logger(label: "parley.demo") { _ in SwiftLogNoOpLogHandler() }
            )
        )
        try await group.run()
    }
}
