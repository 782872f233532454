import Testing

/// Each check on Swift files, on a sample that breaks its rule and on one that does not.
@Suite struct SwiftCheckTests {
    @Test(arguments: [
        Sample("Sources/ParleyCore/A.swift", "import Foundation", 1),
        Sample("Sources/ParleyCore/A.swift", "\n\npackage import struct Foundation.Data", 1),
        Sample("Sources/ParleyCore/A.swift", "// import Foundation\nlet important = 1", 0),
        Sample("Sources/ParleyLoop/A.swift", "package import Dispatch\nimport Glibc", 0),
        Sample("Tests/ParleyCoreTests/A.swift", "@testable import ParleyCore", 1),
        Sample("Tests/ParleyCoreTests/A.swift", "import ParleyCore", 0),
    ])
    func importsKeepTheRulesBesideTheManifest(_ sample: Sample) {
        #expect(ImportCheck.findings(sample.file).count == sample.findings)
    }

    @Test(arguments: [
        Sample("A.swift", String(repeating: "\n", count: 500), 0),
        Sample("A.swift", String(repeating: "\n", count: 501), 1),
        Sample("A.swift", String(repeating: "é", count: 100), 0),
        Sample("A.swift", String(repeating: "é", count: 101), 1),
        Sample("A.swift", "func f() {" + String(repeating: "\n", count: 59) + "}", 0),
        Sample("A.swift", "func f() {" + String(repeating: "\n", count: 60) + "}", 1),
        Sample("A.swift", "struct S {" + String(repeating: "\n", count: 60) + "}", 0),
    ])
    func sizesHaveABound(_ sample: Sample) {
        #expect(SizeCheck.findings(sample.file).count == sample.findings)
    }

    /// A machine of lines without code and of stored properties, in two files.
    @Test(arguments: [
        Machine(lines: 345, extensionLines: 413, properties: 12, findings: 0),
        Machine(lines: 346, extensionLines: 413, properties: 12, findings: 1),
        Machine(lines: 345, extensionLines: 414, properties: 12, findings: 1),
        Machine(lines: 345, extensionLines: 413, properties: 13, findings: 1),
        Machine(lines: 759, extensionLines: 0, properties: 13, findings: 2),
    ])
    func theMachineHasABound(_ machine: Machine) {
        #expect(MachineCheck.findings(machine.files).count == machine.findings)
    }

    @Test(arguments: [
        Sample(
            "A.swift",
            "struct S {\n    let a: Int\n    package internal(set) var b = [1]\n}",
            2
        ),
        Sample("A.swift", "struct S {\n    var a: Int { 1 }\n    static let b = 1\n}", 0),
        Sample(
            "A.swift",
            "struct S {\n    // let a = 1\n    func f() {\n        let b = 1\n    }\n}",
            0
        ),
    ])
    func storedPropertiesAreCounted(_ sample: Sample) {
        #expect(MachineCheck.storedProperties(sample.file) == sample.findings)
    }

    /// Types of many stored properties, or many lines in two files.
    @Test(arguments: [
        TypeSample("final class S {\n", properties: 15, findings: 0),
        TypeSample("final class S {\n", properties: 16, findings: 1),
        TypeSample("private actor S {\n", properties: 16, findings: 1),
        TypeSample("struct S {\n", properties: 16, findings: 0),
        TypeSample("struct S {\n    mutating func f() {}\n", properties: 16, findings: 1),
        TypeSample(
            "struct S {\n    struct T {\n        var a: Int\n    }\n",
            properties: 15,
            findings: 0
        ),
        TypeSample(
            "class S {\n    static var a = 1\n    var b: Int { 1 }\n",
            properties: 15,
            findings: 0
        ),
        TypeSample(
            "class S {\n    var a: Int = 1 {\n        didSet {}\n    }\n",
            properties: 15,
            findings: 1
        ),
        TypeSample("struct S {\n", lines: 400, extensionLines: 300, findings: 0),
        TypeSample("struct S {\n", lines: 400, extensionLines: 301, findings: 1),
        TypeSample("struct NodeShell {\n", lines: 701, findings: 0),
        TypeSample("struct NodeShell {\n", lines: 1_001, findings: 1),
    ])
    func typesHaveABound(_ sample: TypeSample) {
        #expect(TypeSizeCheck.findings(sample.files, beyond: [:]).count == sample.findings)
    }

    @Test func typesBeyondTheBoundMayOnlyShrink() {
        func findings(_ lines: Int) -> Int {
            let sample = TypeSample("struct S {\n", lines: lines - 1, findings: 0)
            let beyond = ["S": TypeSizeCheck.Size(lines: 800, properties: 15)]
            return TypeSizeCheck.findings(sample.files, beyond: beyond).count
        }
        #expect(findings(800) == 0)
        #expect(findings(801) == 1)
        #expect(findings(700) == 1, "the list has a type that is small enough")
    }

    /// Each sample beside a file of another target.
    @Test(arguments: [
        Sample("Sources/ParleyNode/B.swift", "public struct Draft {}", 1),
        Sample("Sources/ParleyNode/B.swift", "@frozen\nfinal class Draft {}", 1),
        Sample("Sources/ParleyNode/B.swift", "enum Sketch {}", 0),
        Sample("Sources/ParleyNode/B.swift", "private struct Draft {}", 0),
        Sample("Sources/ParleyNode/B.swift", "fileprivate struct Draft {}", 0),
        Sample("Sources/ParleyNode/B.swift", "extension Draft {}", 0),
        Sample("Sources/ParleyNode/B.swift", "enum Outer {\n    struct Draft {}\n}", 0),
        Sample("Sources/ParleyNode/B.swift", "public struct Conversation {}", 0),
        Sample("Sources/ParleyCore/B.swift", "struct Draft {}", 0),
        Sample("Sources/Apps/Chess/B.swift", "struct Draft {}", 0),
        Sample("Tests/ParleyNodeTests/B.swift", "struct Draft {}", 0),
    ])
    func typesHaveNamesOfTheirOwn(_ sample: Sample) {
        let other = SwiftFile(
            "Sources/ParleyCore/A.swift",
            "package struct Draft {}\npackage struct Conversation {}"
        )
        #expect(TypeNameCheck.findings([other, sample.file]).count == sample.findings)
    }

    @Test(arguments: [
        Sample("Sources/Messages/A.swift", "public struct View: Sendable {}", 1),
        Sample("Sources/Messages/A.swift", "open class Button: NSObject {}", 1),
        Sample("Sources/Messages/A.swift", "public struct ParleyView {}", 0),
        Sample("Sources/Messages/A.swift", "struct View {}", 0),
        Sample("Sources/Messages/A.swift", "public enum Kind {\n    public enum View {}\n}", 0),
        Sample("Sources/Messages/A.swift", "extension View {}", 0),
        Sample("Sources/Apps/Chess/A.swift", "public struct View {}", 0),
    ])
    func noPublicTypeHasANameOfSwiftUI(_ sample: Sample) {
        #expect(SwiftUINameCheck.findings(sample.file).count == sample.findings)
    }

    @Test(arguments: [
        Sample("A.swift", "package struct S {}", 1),
        Sample("A.swift", "/// Said.\n@frozen\npackage struct S {}", 0),
        Sample("A.swift", "struct S {}", 0),
        Sample("A.swift", "package var a: Int { 1 }", 0),
        Sample("A.swift", "package func start() {}", 1),
        Sample("A.swift", "package func half(of a: Int) -> Int { a / 2 }", 0),
        Sample("A.swift", "package func half(of a: Int) throws -> Int { a / 2 }", 1),
        Sample("A.swift", "package func half(of a: Int) throws(E) -> Int { a / 2 }", 0),
        Sample("A.swift", "package func half(of a: Int) async -> Int { a / 2 }", 1),
        Sample("A.swift", "package mutating func append(_ a: Int) { b += [a] }", 0),
        Sample("A.swift", "/// Said.\npackage struct S {\npackage enum State {}\n}", 0),
        Sample("A.swift", "/// Said.\npackage struct S {\npackage struct State {}\n}", 1),
        Sample("A.swift", "package func sum(of a: Int, and b: Int) -> Int { a + b }", 1),
        Sample("A.swift", "package static func < (a: S, b: S) -> Bool { a.b < b.b }", 0),
        Sample("A.swift", "extension S: P { package func start() {} }", 0),
        Sample("A.swift", "extension S { package func asked() {} }", 0),
        Sample("A.swift", "package init(a: Int, b: Int) { self.a = a; self.b = b }", 1),
        Sample("A.swift", "package init(a: Int, b: Int) {\nself.a = a\nself.b = b\n}", 0),
        Sample("A.swift", "package init(_ a: Int, _ b: Int) { c = (a, b) }", 0),
        Sample("A.swift", "package init(_ a: Int, _ b: Int) { c = a + b }", 1),
        Sample("A.swift", "/// Said.\npackage protocol P {\nfunc start()\n}", 1),
    ])
    func declarationsAreDocumented(_ sample: Sample) {
        let findings = DocumentationCheck.findings(sample.file, requirements: ["asked()"])
        #expect(findings.count == sample.findings)
    }

    @Test func requirementsOfProtocolsAreFound() {
        let file = SwiftFile("A.swift", "protocol P {\n    func asked(by a: Int)\n}")
        #expect(DocumentationCheck.requirements([file]).contains("asked(by:)"))
    }

    @Test(arguments: [
        Sample("A.swift", "let a = try! b()", 1),
        Sample("A.swift", "let a = b as! C", 1),
        Sample("A.swift", "var a: B!", 1),
        Sample("A.swift", "let a = b![0]!.c", 1),
        Sample("A.swift", "if !a != !b, a != b, \"!\" == \"a!\" { } // c!", 0),
        Sample("A.swift", "nonisolated(unsafe) var a = 1", 1),
        Sample("A.swift", "DispatchQueue.global().async {}", 1),
        Sample("A.swift", "fatalError(\"a\")", 1),
        Sample("A.swift", "final class A: @unchecked Sendable {\n    let b = 1\n}", 1),
        Sample("A.swift", "final class A: @unchecked Sendable {\n    // Why.\n}", 0),
        Sample("A.swift", "// TODO: more", 1),
        Sample("A.swift", "let todoList = 1 // TODOS", 0),
        Sample("Sources/ParleyCore/A.swift", "let a = ContinuousClock.now", 1),
        Sample("Sources/ParleyCore/A.swift", "a.shuffled()", 1),
        Sample("Sources/ParleyNode/A.swift", "let a = ContinuousClock.now", 0),
    ])
    func bannedCodeIsFound(_ sample: Sample) {
        #expect(WordCheck.findings(sample.file).count == sample.findings)
    }

    @Test(arguments: [
        Sample("Tests/A.swift", "func a() { sleep(1) }", 1),
        Sample("Tests/A.swift", "try await Task.sleep(for: .seconds(1))", 1),
        Sample("Tests/A.swift", "func a() {\n while now < deadline {\n usleep(9)\n }\n}", 0),
        Sample("Tests/A.swift", "// Nothing may come now.\nsleep(1)", 0),
        Sample("Tests/A.swift", "// sleep(1)\nlet a = isAsleep(b)", 0),
        Sample("Sources/ParleyNode/A.swift", "sleep(1)", 0),
    ])
    func sleepsInTestsAreFound(_ sample: Sample) {
        #expect(WaitCheck.findings(sample.file).count == sample.findings)
    }

    @Test func foldersThatUseOneAnotherAreFound() {
        let files = [
            SwiftFile("Sources/A/One/A.swift", "struct A { let b: B }"),
            SwiftFile("Sources/A/Two/B.swift", "struct B { let c: C }"),
            SwiftFile("Sources/A/Three/C.swift", "struct C {}"),
            SwiftFile("Sources/B/Two/B.swift", "extension A {}"),
        ]
        #expect(FolderCheck.findings(files) == [])
        let back = SwiftFile("Sources/A/Three/D.swift", "extension C { var a: A? { nil } }")
        let findings = FolderCheck.findings(files + [back])
        #expect(Set(findings.map(\.path)) == Set(files[..<2].map(\.path) + [back.path]))
    }
}

/// The lines of a machine's two files, its stored properties, and how many findings it deserves.
struct Machine: Sendable {
    let files: [SwiftFile]
    let findings: Int

    init(lines: Int, extensionLines: Int, properties: Int, findings: Int) {
        let stored = String(repeating: "    var a = 1\n", count: properties)
        let rest = String(repeating: "\n", count: lines - properties)
        files = [
            SwiftFile(MachineCheck.file, stored + rest),
            SwiftFile(
                "Sources/ParleyCore/Node/NodeMachine+More.swift",
                String(repeating: "\n", count: extensionLines)
            ),
            SwiftFile(
                "Sources/ParleyCore/Node/NodeMachinery.swift",
                String(repeating: "\n", count: 400)
            ),
        ]
        self.findings = findings
    }
}

/// A type with so many lines and properties, an extension of it in another file, and how many
/// findings they deserve.
struct TypeSample: Sendable, CustomTestStringConvertible {
    let files: [SwiftFile]
    let findings: Int
    let testDescription: String

    init(
        _ beginning: String,
        properties: Int = 0,
        lines: Int = 0,
        extensionLines: Int = 1,
        findings: Int
    ) {
        let stored = String(repeating: "    private(set) var a: Int\n", count: properties)
        let present = (beginning + stored).count { $0 == "\n" } + 1
        let rest = String(repeating: "\n", count: max(0, lines - present))
        let words = beginning.split(separator: " ")
        let name = words[(words.firstIndex { ["struct", "class", "actor"].contains($0) } ?? 0) + 1]
        let more = String(repeating: "\n", count: max(0, extensionLines - 1))
        files = [
            SwiftFile("Sources/ParleyLoop/A.swift", beginning + stored + rest + "}"),
            SwiftFile("Sources/ParleyNode/B.swift", "extension \(name) {\(more)}"),
        ]
        self.findings = findings
        testDescription = "\(beginning) \(properties) \(lines) \(extensionLines)"
    }
}

/// A Swift file and how many findings it deserves.
struct Sample: Sendable, CustomTestStringConvertible {
    let file: SwiftFile
    let findings: Int

    init(_ path: String, _ text: String, _ findings: Int) {
        file = SwiftFile(path, text)
        self.findings = findings
    }

    var testDescription: String {
        let words = file.file.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return "\(file.path): \(words.prefix(60))"
    }
}
