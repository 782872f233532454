import ArgumentParser
import Foundation
public import Messages
public import MessagesHost
import ParleyAPI

/// The `parley` program with all its commands.
public enum ParleyProgram {
    /// Runs the command that the arguments of the process name, and ends the process.
    ///
    /// - Parameter apps: The apps that `parley node` runs.
    public static func main(apps: [HostedApp] = []) async -> Never {
        ProgramApps.all = apps
        ProgramName.learn(from: ParleyRoot.self)
        // Writing to a closed pipe must fail with an error instead of ending the node.
        signal(SIGPIPE, SIG_IGN)
        // A core dump would have the keys of the device and of its conversations in it.
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        if let problem = RawText.problem { ProgramEnd.exit(problem) }
        do {
            try ConfigurationFile.checkNames(in: ProcessInfo.processInfo.environment)
        } catch {
            ProgramEnd.exit(error)
        }
        var command: any ParsableCommand
        do {
            command = try ParleyRoot.parseAsRoot()
        } catch {
            ProgramEnd.exitAfterParsing(error)
        }
        do {
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
        } catch {
            ProgramEnd.exit(error)
        }
        exit(ExitStatus.done.rawValue)
    }

    /// Runs the command with apps that are named after their classes.
    public static func main(apps: [MSMessagesAppViewController.Type]) async -> Never {
        await main(apps: apps.map { HostedApp($0) })
    }
}
