import MessagesHost
import ParleyCommand
import SampleDrawAndGuess
import SampleIceCreamBuilder
import SampleIconStore
import SampleMoodAndFood
import SampleTicTacToe

await ParleyProgram.main(
    apps: [
        HostedApp(IceCreamBuilder.self, id: "parley.icecream", name: "Ice cream"),
        HostedApp(IconStore.self, id: "parley.iconstore", name: "Icon store"),
        HostedApp(MoodAndFood.self, id: "parley.moodandfood", name: "Mood and food"),
        HostedApp(DrawAndGuess.self, id: "parley.drawandguess", name: "Draw and guess"),
        HostedApp(
            DrawAndGuessBot.self,
            id: "parley.drawandguess.bot",
            name: "Guessing bot",
            speaks: "parley.drawandguess",
            hasScreen: false
        ),
        HostedApp(
            TicTacToe.self,
            id: "parley.tictactoe",
            name: "Tic-tac-toe",
            turns: TicTacToe.next
        ),
        HostedApp(
            TicTacToeBot.self,
            id: "parley.tictactoe.bot",
            name: "Tic-tac-toe bot",
            speaks: "parley.tictactoe",
            hasScreen: false,
            turns: TicTacToe.next
        ),
    ]
)
