import MessagesHost
import ParleyCommand
import SampleTicTacToe

await ParleyProgram.main(
    apps: [
        HostedApp(TicTacToe.self, id: "parley.tictactoe", name: "Tic-tac-toe"),
        HostedApp(
            TicTacToeBot.self,
            id: "parley.tictactoe.bot",
            name: "Tic-tac-toe bot",
            speaks: "parley.tictactoe"
        ),
    ]
)
