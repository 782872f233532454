import MessagesHost
import ParleyCommand
import SampleDrawAndGuess
import SampleIceCreamBuilder
import SampleIconStore
import SampleLiarsDice
import SampleMoodAndFood
import SampleTicTacToe

await ParleyProgram.main(
    apps: [
        HostedApp(
            IceCreamBuilder.self,
            id: "parley.icecream",
            name: "Ice cream",
            line: "Build a sundae together, and keep it as a sticker",
            icon: IceCreamBuilder.icon
        ),
        HostedApp(
            IconStore.self,
            id: "parley.iconstore",
            name: "Icon store",
            line: "Show your friends what you would pick",
            icon: IconStore.icon
        ),
        HostedApp(
            MoodAndFood.self,
            id: "parley.moodandfood",
            name: "Mood and food",
            line: "Say how you are and what you would eat",
            icon: MoodAndFood.icon
        ),
        HostedApp(
            DrawAndGuess.self,
            id: "parley.drawandguess",
            name: "Draw and guess",
            line: "One draws a word, all others guess it at once",
            icon: DrawAndGuess.icon,
            seats: 2...8,
            parts: true,
            rules: DrawAndGuess.rules
        ),
        HostedApp(
            DrawAndGuessBot.self,
            id: "parley.drawandguess.bot",
            name: "Guessing bot",
            speaks: "parley.drawandguess",
            hasScreen: false,
            rules: DrawAndGuess.rules
        ),
        HostedApp(
            TicTacToe.self,
            id: "parley.tictactoe",
            name: "Tic-tac-toe",
            line: "Three in a row win",
            icon: TicTacToe.icon,
            turns: TicTacToe.next,
            seats: 2...2,
            rules: TicTacToe.rules
        ),
        HostedApp(
            LiarsDice.self,
            id: "parley.liarsdice",
            name: "Liar's dice",
            line: "Call what lies under all cups, or doubt it",
            icon: LiarsDice.icon,
            seats: 2...6,
            rules: LiarsDice.rules
        ),
        HostedApp(
            LiarsDiceBot.self,
            id: "parley.liarsdice.bot",
            name: "Liar's dice bot",
            speaks: "parley.liarsdice",
            hasScreen: false,
            rules: LiarsDice.rules
        ),
        HostedApp(
            TicTacToeBot.self,
            id: "parley.tictactoe.bot",
            name: "Tic-tac-toe bot",
            speaks: "parley.tictactoe",
            hasScreen: false,
            turns: TicTacToe.next,
            rules: TicTacToe.rules
        ),
    ]
)
