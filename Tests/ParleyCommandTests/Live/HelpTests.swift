import Testing

/// The help texts.
@Suite(.timeLimit(.minutes(1))) struct HelpTests {
    /// Regression: `--help` had the exit code 70, that of an internal error.
    @Test(arguments: [
        [], ["--help"], ["help"], ["node", "--help"], ["help", "send"], ["conversation", "-h"],
        ["simulate", "--help"], ["lab", "run", "--help"], ["open", "--help"],
    ])
    func helpIsPrinted(arguments: [String]) async throws {
        let told = try await Program.run(arguments)
        #expect(told.status == 0)
        #expect(told.text.contains("USAGE: parley"))
        #expect(told.errorText.isEmpty)
    }

    @Test func versionIsPrinted() async throws {
        let told = try await Program.run(["--version"])
        #expect(told.status == 0)
        #expect(told.text.hasPrefix("0."))
    }

    @Test func unknownCommandsNameTheHelp() async throws {
        let told = try await Program.run(["sned"])
        #expect(told.status == 64)
        #expect(told.errorText.contains("parley --help"))
    }
}
