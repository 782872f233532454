import Testing

/// Every check over every file of the project.
@Suite struct TreeTests {
    @Test func importsKeepTheRulesBesideTheManifest() {
        report(Tree.swift.flatMap(ImportCheck.findings))
    }

    @Test func filesFunctionsAndLinesAreShort() {
        report(Tree.swift.flatMap(SizeCheck.findings))
    }

    @Test func theMachineIsSmall() {
        report(MachineCheck.findings(Tree.swift))
    }

    @Test func foldersOfATargetHaveAnOrder() {
        report(FolderCheck.findings(Tree.swift))
    }

    @Test func typesAreSmall() {
        report(TypeSizeCheck.findings(Tree.swift))
    }

    @Test func typesHaveNamesOfTheirOwn() {
        report(TypeNameCheck.findings(Tree.swift))
    }

    @Test func noPublicTypeHasANameOfSwiftUI() {
        report(Tree.swift.flatMap(SwiftUINameCheck.findings))
    }

    @Test func whatOtherTargetsSeeIsDocumented() {
        let requirements = DocumentationCheck.requirements(Tree.swift)
        let sources = Tree.swift.filter { $0.target != nil }
        report(sources.flatMap { DocumentationCheck.findings($0, requirements: requirements) })
    }

    @Test func commentsAreUnderstoodAtFirstReading() {
        let sources = Tree.swift.filter { $0.target != nil }
        report(ProseCheck.findings(sources))
        #expect(sources.flatMap(ProseCheck.sentences).count > 1_000)
    }

    @Test func nothingBannedIsUsed() {
        report(Tree.swift.flatMap { WordCheck.findings($0) })
        report(Tree.files.flatMap { WordCheck.findings($0) })
    }

    @Test func testsPollInsteadOfSleeping() {
        report(Tree.swift.flatMap(WaitCheck.findings))
    }

    @Test func linksLeadSomewhere() {
        report(Tree.files.filter(\.isMarkdown).flatMap { LinkCheck.findings($0, in: Tree.files) })
    }

    @Test func decisionRecordsAreNumberedAndListed() {
        report(DecisionCheck.findings(Tree.files))
    }

    @Test func scriptsCanBeRun() {
        report(Tree.files.flatMap(ScriptCheck.findings))
    }

    @Test func applesSymbolsAreListedAndThere() throws {
        let page = try #require(Tree.files.first { $0.path == SymbolCheck.page })
        let sources = Tree.swift.filter { SymbolCheck.targets.contains($0.target ?? "") }
        report(SymbolCheck.findings(page, sources))
        #expect(SymbolCheck.rows(page).count > 100)
    }

    /// A tree that cannot be read would pass every check.
    @Test func theTreeWasRead() {
        #expect(Tree.files.contains { $0.path == "Package.swift" })
        #expect(Tree.swift.contains { $0.target == "ParleyCore" })
        #expect(Tree.files.contains { $0.path == ".ci/run" && $0.isExecutable })
        let machine = Tree.swift.first { $0.path == MachineCheck.file }
        #expect(machine.map(MachineCheck.storedProperties) ?? 0 > 0)
    }

    private func report(_ findings: [Finding]) {
        for finding in findings { Issue.record("\(finding)") }
    }
}
