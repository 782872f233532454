import MessagesHost
import ModeFive
import ParleyCommand
import StickerSheet

/// `parley` with the apps that tests of the page use.
@main
struct Program {
    static func main() async {
        await ParleyProgram.main(
            apps: [
                HostedApp(NotesViewController.self, id: "test.notes", name: "Notes"),
                HostedApp(DiceViewController.self, id: "test.dice", name: "Dice"),
                HostedApp(BoardViewController.self, id: "test.board", name: "Board"),
                HostedApp(StickerSheet.self, id: "test.stickers", name: "Stickers"),
            ]
        )
    }
}
