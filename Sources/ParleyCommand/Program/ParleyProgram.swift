import ArgumentParser
import Foundation
public import Messages
public import MessagesHost
import ParleyWeb
import Synchronization

/// The `parley` program: every command, as an executable runs it.
public enum ParleyProgram {
    private static let installed = Mutex<[HostedApp]>([])

    /// The apps of this program.
    static var apps: [HostedApp] { installed.withLock { $0 } }

    /// Runs the command that the arguments of the process name, and ends the process.
    ///
    /// - Parameter apps: What `parley node` runs, beside what every node does.
    public static func main(apps: [HostedApp] = []) async -> Never {
        installed.withLock { $0 = apps }
        // A reader that goes away is an error of the write, not the end of the node.
        signal(SIGPIPE, SIG_IGN)
        var command: any ParsableCommand
        do {
            command = try ParleyRoot.parseAsRoot()
        } catch {
            FailureReport.exitAfterParsing(error)
        }
        do {
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
        } catch {
            FailureReport.exit(error)
        }
        exit(ExitStatus.done.rawValue)
    }

    /// The same with apps that are called after their classes.
    public static func main(apps: [MSMessagesAppViewController.Type]) async -> Never {
        await main(apps: apps.map { HostedApp($0) })
    }
}
