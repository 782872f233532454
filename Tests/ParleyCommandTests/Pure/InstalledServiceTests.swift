import Foundation
import ParleyCommand
import TestSupport
import Testing

/// Which service runs the node of a directory, so that hints name what an operator would type.
@Suite struct InstalledServiceTests {
    private let root: TestDirectory

    init() throws { root = try TestDirectory() }

    private func service(_ directory: String) -> InstalledService? {
        let base = URL(filePath: root.path("."))
        return InstalledService(of: URL(filePath: directory), root: base, home: base)
    }

    private func make(_ files: String...) throws {
        for file in files {
            let path = root.path(file)
            try FileManager.default.createDirectory(
                atPath: (path as NSString).deletingLastPathComponent,
                withIntermediateDirectories: true
            )
            try Data().write(to: URL(filePath: path))
        }
    }

    private let usual = DataLocation.directory(
        option: nil,
        environment: ProcessInfo.processInfo.environment
    )
    .path

    /// Regression: `restore` of a relay said to start `parley node`, as root and beside its unit.
    @Test func aRelayIsStartedBySystemd() throws {
        #expect(service("/var/lib/parley") == nil)
        try make("usr/lib/systemd/system/parley.service")
        #expect(service("/var/lib/parley") == nil, "systemd does not run")
        try make("run/systemd/system/x")
        let found = try #require(service("/var/lib/parley"))
        #expect(found.command("start") == "systemctl start parley")
        #expect(found.configuration == nil)
        #expect(service("/srv/other") == nil)
        #expect(service(usual) == nil)
    }

    @Test func theConfigurationSaysWhichDirectory() throws {
        try make("etc/systemd/system/parley.service", "run/systemd/system/x", "etc/parley/x")
        let file = URL(filePath: root.path("etc/parley/parley.yaml"))
        try Data("data: /srv/relay\n".utf8).write(to: file)
        #expect(service("/var/lib/parley") == nil)
        let found = try #require(service("/srv/relay"))
        #expect(found.configuration?.hasSuffix("/etc/parley/parley.yaml") == true)
    }

    @Test func otherManagersHaveTheirOwnCommands() throws {
        try make("etc/service/parley/run")
        #expect(service("/var/lib/parley")?.command("restart") == "sv restart parley")
        try make(".config/systemd/user/default.target.wants/parley.service")
        #expect(service(usual)?.command("start") == "systemctl --user start parley")
    }

    @Test(arguments: [
        "start one with: parley node": "start one with: systemctl start parley",
        "start one with: parley node; or add --data DIR.":
            "start one with: systemctl start parley; or add --data DIR.",
        "See: parley peers": "See: parley peers --data /var/lib/parley",
    ])
    func hintsNameTheService(hint: String, told: String) throws {
        try make("etc/systemd/system/parley.service", "run/systemd/system/x")
        let data = "/var/lib/parley"
        #expect(CommandHint.hint(hint, data: data, service: service(data)) == told)
    }
}
