package import Foundation

/// The service of this machine that runs the node of a data directory.
package struct InstalledService: Hashable, Sendable {
    /// The program that starts and stops services, such as `systemctl --user`.
    private let manager: String
    /// The file with the configuration of the node; nil if the service names none.
    package let configuration: String?

    /// The service of a directory; nil if none is installed, so that people start its node.
    ///
    /// - Parameters:
    ///   - directory: The data directory.
    ///   - root: The directory that has `/etc` and the like.
    ///   - home: The directory of the user who asks.
    package init?(
        of directory: URL,
        root: URL = URL(filePath: "/"),
        home: URL = URL(filePath: NSHomeDirectory())
    ) {
        let exists = { (base: URL, path: String) in
            FileManager.default.fileExists(atPath: base.appending(path: path).path)
        }
        let file = root.appending(path: ConfigurationFile.usual).path
        let read = try? Configuration(file: file, environment: [:])
        let usual = NodeOptions().dataDirectory
        if directory.path == read?.options.data ?? "/var/lib/parley" {
            let units = ["etc", "usr/lib", "lib"].map { "\($0)/systemd/system/parley.service" }
            if exists(root, "run/systemd/system"), units.contains(where: { exists(root, $0) }) {
                manager = "systemctl"
            } else if exists(root, "etc/service/parley") {
                manager = "sv"
            } else {
                return nil
            }
            configuration = read.map { _ in file }
        } else if directory.path == usual.path,
            exists(home, ".config/systemd/user/default.target.wants/parley.service")
        {
            (manager, configuration) = ("systemctl --user", nil)
        } else {
            return nil
        }
    }

    /// The command for the service, such as `systemctl start parley`.
    package func command(_ verb: String) -> String { "\(manager) \(verb) parley" }
}
