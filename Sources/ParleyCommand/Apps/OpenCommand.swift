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

            Prints the screen of the app, with a number before each view that has actions.
            Type a number to press the view, a number and text to enter the text, or:

              m      tap the app's latest message     m3  tap message 3
              s      send the input field             d   delete the draft
              p m3   place the field's sticker on message 3, or p m3 25 75 (percent from
                     the left and from the top)       x m3  peel yours off
              t TEXT put text into the input field    +/- expand, collapse
              q      close the app and leave          ?   this help

            Ctrl-C closes the app too. Lines may come from a pipe. With --json, each screen
            is one object on a line.
            """
    )
    @Argument(help: "The app: its ID, the end of it, or its name.") var app: String
    @OptionGroup var conversation: ConversationOption
    @OptionGroup var common: CommonOptions

    func run(_ client: ControlClient) async throws {
        let view = AppView(
            client: client,
            conversation: PathText.conversation(try await conversation.name(client)),
            app: app,
            asJSON: common.json,
            data: common.data
        )
        try await view.run()
    }
}
