import ArgumentParser
import Foundation
import ParleyAPI

/// `parley open`.
struct OpenCommand: NodeRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "open",
        abstract: "Use an app in a terminal.",
        discussion: """
              parley open tictactoe -c games

            Shows what the app shows, with a number in front of what can be used. Type a number to
            press it, a number and text to fill it in, and:

              m      tap the app's latest message     m3  tap message 3
              s      send what is in the input field  d   delete the draft there
              t TEXT put text into the input field    +/- expand, collapse
              q      close the app and leave          ?   this help

            Ctrl-C closes the app as well. Lines may come from a pipe. With --json each screen is
            one object a line.
            """
    )
    @Argument(help: "The app: its ID, the end of it, or its name.") var app: String
    @Option(name: .shortAndLong, help: "The conversation.") var conversation: String
    @OptionGroup var common: CommonOptions

    func run(_ client: ControlClient) async throws {
        let view = AppView(
            client: client,
            path: PathText.conversation(conversation) + "/apps/" + PathText.encoded(app),
            asJSON: common.json
        )
        try await view.run()
    }
}
