import Testing

/// Each check on documents and scripts, on samples that break its rule and on some that do not.
@Suite struct TextCheckTests {
    // MARK: Links

    private static let pages = [
        TreeFile("README.md", "# One"),
        TreeFile("docs/b.md", "# The `b` file, at 100 %\n## Same\n```\n# No\n```\n## Same"),
        TreeFile("docs/picture.svg", "<svg/>"),
    ]

    @Test(arguments: [
        "[a](docs/b.md)", "[a](docs)", "[a](./docs/../docs/b.md)", "![a](docs/picture.svg)",
        "[a](docs/b.md#the-b-file-at-100-)", "[a](docs/b.md#same-1)", "[a](#one)",
        "[a](https://example.org/c.md)", "`[a](c.md)`", "[a]: docs/b.md",
    ])
    func linksThatLeadSomewherePass(_ text: String) {
        let file = TreeFile("README.md", "# One\n" + text)
        #expect(LinkCheck.findings(file, in: Self.pages.dropFirst() + [file]) == [])
    }

    @Test(arguments: [
        "[a](docs/c.md)", "[a](b.md)", "[a](doc)", "[a](/docs/b.md)", "[a](docs/b.md#no)",
        "[a](#two)", "[a](docs/picture.svg#one)", "[a]: docs/c.md", "[x](docs/b.md) [a](c.md)",
    ])
    func linksThatLeadNowhereAreFound(_ text: String) {
        let file = TreeFile("README.md", "# One\n" + text)
        let findings = LinkCheck.findings(file, in: Self.pages.dropFirst() + [file])
        #expect(findings.map(\.line) == [2])
    }

    @Test func linksAreRelativeToTheirFile() {
        let file = TreeFile("docs/deep/d.md", "[a](../b.md) [b](../../README.md#one) [c](b.md)")
        #expect(LinkCheck.findings(file, in: Self.pages + [file]).count == 1)
    }

    // MARK: Comments

    @Test(arguments: [
        ("/// A link that is its own one: they end. `it` is what it was.", [4, 2]),
        ("/// A list:\n/// - what they have in it,\n///   and that", [4]),
        ("let one = it // what they have in it, and that", []),
        ("// One\n// sentence on two lines of them.\n\n// And those are two of them.", [2, 2]),
    ])
    func pronounsOfSentencesAreCounted(_ text: String, _ counts: [Int]) {
        let sentences = ProseCheck.sentences(SwiftFile("Sources/A/B.swift", text))
        #expect(sentences.map(\.pronouns) == counts)
    }

    @Test func sentencesThatAreReadTwiceAreFoundIfTheyAreMany() {
        let bad = "/// It is what they have of it."
        let good = Array(repeating: "/// A node keeps a link.\n\n", count: 24).joined()
        #expect(ProseCheck.findings([SwiftFile("a.swift", good + bad)]) == [])
        let findings = ProseCheck.findings([SwiftFile("a.swift", good.dropFirst(26) + bad)])
        #expect(findings.map(\.line) == [47])
    }

    // MARK: Decision records

    @Test func recordsInOrderAndListedPass() {
        #expect(DecisionCheck.findings(records("0001-a.md", "0002-b.md")) == [])
    }

    @Test func gapsAndRepeatsAreFound() {
        #expect(DecisionCheck.findings(records("0001-a.md", "0003-b.md")).count == 1)
        #expect(DecisionCheck.findings(records("0001-a.md", "0001-b.md")).count == 1)
    }

    @Test func recordsThatAreNotListedAreFound() {
        let files = records("0001-a.md") + [TreeFile("docs/decisions/0002-b.md", "# B")]
        #expect(DecisionCheck.findings(files).map(\.path) == ["docs/decisions/0002-b.md"])
    }

    private func records(_ names: String...) -> [TreeFile] {
        let list = names.map { "- [a](\($0))" }.joined(separator: "\n")
        return [TreeFile("docs/decisions/README.md", list)]
            + names.map { TreeFile("docs/decisions/" + $0, "# A") }
    }

    // MARK: Scripts

    private static let good = "#!/usr/bin/env bash\n# Why.\nset -Eeuo pipefail\n"

    @Test func goodScriptsPass() {
        #expect(ScriptCheck.findings(TreeFile("a.sh", Self.good, isExecutable: true)) == [])
        #expect(ScriptCheck.findings(TreeFile("a.txt", "text")) == [])
        let python = TreeFile("a.py", "#!/usr/bin/env python3", isExecutable: true)
        #expect(ScriptCheck.findings(python) == [])
    }

    @Test(arguments: [
        TreeFile("a.sh", good),
        TreeFile("run", good),
        TreeFile("a.sh", "set -Eeuo pipefail", isExecutable: true),
        TreeFile("a.sh", "#!/bin/sh\nset -Eeuo pipefail", isExecutable: true),
        TreeFile("a.sh", "#!/bin/bash\nset -e", isExecutable: true),
        TreeFile("a.sh", "#!/bin/bash\necho", isExecutable: true),
        TreeFile("a.txt", "text", isExecutable: true),
    ])
    func badScriptsAreFound(_ file: TreeFile) {
        #expect(ScriptCheck.findings(file).count == 1)
    }

    // MARK: Words

    @Test(arguments: [
        TreeFile("docs/a.md", "see /wo" + "rk/main"),
        TreeFile("Sources/parley/A.swift", "let a = \"/wo" + "rk/main\""),
        TreeFile("Makefile", "# FIXME later"),
        TreeFile("Sources/parley/StringUtils.swift", ""),
        TreeFile("Tests/parley/TestHelpers.swift", ""),
    ])
    func bannedTextIsFound(_ file: TreeFile) {
        #expect(WordCheck.findings(file).count == 1)
    }

    @Test func innocentTextPasses() {
        let text = "mktemp a.XXXXXX; the network/card; https://example.org/homepage"
        #expect(WordCheck.findings(TreeFile("Deploy/a.sh", text)) == [])
    }
}
