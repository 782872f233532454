import Testing

/// The parts of a Swift file that the checks see.
@Suite struct SwiftFileTests {
    @Test func commentsAndLiteralsAreNoCode() {
        let file = SwiftFile(
            "Sources/ParleyCore/A.swift",
            """
            let a = "one // \\(b("}")) {" // two
            /* three /* four */ { */ let c = #"\\"#
            let d = x / y; let e = a.match(/"\\/{/)
            """
        )
        #expect(file.code[0].filter { $0 != " " } == "leta=\"\"\"\"")
        #expect(file.comments[0].filter { $0 != " " } == "//two")
        #expect(file.code[1].contains("let c") && !file.code[1].contains("{"))
        #expect(file.code[2].contains("x / y; let e = a.match(/"))
        #expect(!file.code[2].contains("{"))
    }

    @Test func multiLineStringsAreNoCode() {
        let quotes = "\"\"\""
        let text = ["f(\(quotes)", "func a() {", "\"", quotes + ")", "g()"]
        let file = SwiftFile("Sources/ParleyCore/A.swift", text.joined(separator: "\n"))
        #expect(file.code[1].allSatisfy { $0 == " " })
        #expect(file.code[4] == "g()")
        #expect(file.declarations.isEmpty)
    }

    @Test func declarationsHaveNamesPlacesAndParents() {
        let file = SwiftFile(
            "Sources/ParleyCore/A.swift",
            """
            package protocol P {
                func asked(_ a: Int, by b: (Int, Int) -> Int) throws(E) -> Int
                init()
            }
            extension A.B: P where C: D {
                /// Said.
                @discardableResult
                package static func < <T>(
                    left: Self,
                    right: Self
                ) -> Bool {
                    [1].map { $0 }
                }
            }
            """
        )
        #expect(
            file.declarations.map(\.name) == [
                "P", "asked(_:by:)", "init()", "A.B", "<(left:right:)",
            ]
        )
        #expect(
            file.declarations.map(\.parent) == [.file, .protocol, .protocol, .file, .conformance]
        )
        #expect(file.declarations.map(\.isDocumented) == [false, false, false, false, true])
        #expect(file.declarations.map(\.lineCount) == [4, 1, 1, 10, 7])
        #expect(file.declarations.map(\.returns) == [false, true, false, false, true])
    }

    @Test func targetsAreFolders() {
        #expect(SwiftFile("Sources/ParleyCore/Bytes/A.swift", "").target == "ParleyCore")
        #expect(SwiftFile("Sources/Apps/Chess/A.swift", "").target == "Apps/Chess")
        #expect(SwiftFile("Tests/ParleyCoreTests/A.swift", "").target == nil)
    }
}
