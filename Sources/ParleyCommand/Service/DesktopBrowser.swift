package import Foundation

/// The browser of the person at this machine, opened by the desktop.
package struct DesktopBrowser: Sendable {
    private let program: URL
    private let environment: [String: String]

    /// Finds the desktop's opener, `xdg-open`, among the folders of `PATH`.
    ///
    /// Nil without a display, as on a server or over ssh, or without an opener.
    package init?(environment: [String: String] = ProcessInfo.processInfo.environment) {
        let displays = ["DISPLAY", "WAYLAND_DISPLAY"].compactMap { environment[$0] }
        guard displays.contains(where: { !$0.isEmpty }) else { return nil }
        let folders = (environment["PATH"] ?? "").split(separator: ":")
        let candidates = folders.map { URL(filePath: String($0)).appending(path: "xdg-open") }
        let found = candidates.first {
            FileManager.default.isExecutableFile(atPath: $0.path)
        }
        guard let found else { return nil }
        program = found
        self.environment = environment
    }

    /// Starts the opener for a link, without waiting for its end.
    ///
    /// Every user of a machine can read the arguments of all programs. So the opener gets a file in
    /// `folder`, private to this user, which leads the browser on to the link.
    /// - Returns: whether the opener was started.
    package func open(_ link: String, through folder: URL) -> Bool {
        let file = folder.appending(path: "\(UUID().uuidString).html")
        let process = Process()
        process.executableURL = program
        process.arguments = [file.path]
        process.environment = environment
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        do {
            try PrivateFiles.file(at: file.path).write(contentsOf: Data(Self.page(to: link).utf8))
            try process.run()
        } catch {
            return false
        }
        return true
    }

    private static func page(to link: String) -> String {
        let escaped = link.replacing("&", with: "&amp;").replacing("\"", with: "&quot;")
        return """
            <!doctype html><meta charset="utf-8"><title>Parley</title>
            <meta name="referrer" content="no-referrer">
            <meta http-equiv="refresh" content="0; url=\(escaped)">

            """
    }
}
