import ArgumentParser

/// The root of all commands.
struct ParleyRoot: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: ProgramName.text,
        abstract: "Interactive, turn-based messages between machines on one network.",
        discussion: """
            Start a node, make a conversation, and pass its invite to another machine:

              parley node
              parley conversation create games
              parley invite games --qr

            Over there:

              parley node
              parley join -
              parley send -c games --url '?move=e4' --caption 'Your move'

            Or watch two nodes talk on this machine: parley demo
            """,
        version: ProgramVersion.text,
        groupedSubcommands: [
            CommandGroup(
                name: "Nodes:",
                subcommands: [NodeCommand.self, PageCommand.self, DemoCommand.self]
            ),
            CommandGroup(
                name: "Conversations:",
                subcommands: [
                    ConversationCommand.self, InviteCommand.self, GuestsCommand.self,
                    JoinCommand.self, NearbyCommand.self, PairCommand.self,
                ]
            ),
            CommandGroup(
                name: "Messages:",
                subcommands: [
                    SendCommand.self, TranscriptCommand.self, SearchCommand.self,
                    ShowCommand.self, PictureCommand.self, FilesCommand.self,
                    HistoryCommand.self,
                    ConflictsCommand.self,
                ]
            ),
            CommandGroup(name: "Apps:", subcommands: [AppsCommand.self, OpenCommand.self]),
            CommandGroup(
                name: "Health:",
                subcommands: [
                    PeersCommand.self, StatusCommand.self, DoctorCommand.self, ConfigCommand.self,
                ]
            ),
            CommandGroup(
                name: "Care:",
                subcommands: [
                    BackupCommand.self, RestoreCommand.self, VerifyCommand.self,
                    IdentityCommand.self, PersonCommand.self, BlockCommand.self,
                    UnblockCommand.self, AllowCommand.self, ExportCommand.self,
                ]
            ),
            CommandGroup(
                name: "Tests:",
                subcommands: [SimulateCommand.self, LabCommand.self, ProxyCommand.self]
            ),
        ]
    )
}
