import MessagesHost
import Synchronization

/// The apps of this program.
enum ProgramApps {
    private static let installed = Mutex<[HostedApp]>([])

    static var all: [HostedApp] {
        get { installed.withLock { $0 } }
        set { installed.withLock { $0 = newValue } }
    }
}
