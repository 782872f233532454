/// The JavaScript modules of the page as one script, for which a single request is enough.
///
/// A module becomes a function that is called at once and returns its exports, so all other
/// declarations stay private. The exports are constants of the script, each name once.
///
/// The translation understands two statements: `import { a, b } from "./name.js";`, and `export`
/// before a function, a class or a constant. An imported file must be appended before the importing
/// file; the statement stays otherwise. Indentation, comment lines, and spaces that separate
/// nothing are left out, so no string of the modules may span several lines.
package struct PageScript {
    package private(set) var text = ""
    /// The names that the modules so far export.
    private var made: Set<Substring> = []

    package init() {}

    /// Appends a module.
    package mutating func append(_ source: String) {
        let body = source.replacing(Self.aCommentOrIndent, with: "").replacing(Self.anImport) {
            $0.output.names.matches(of: #/\w+/#).allSatisfy { made.contains($0.output) }
                ? "" : $0.output.0
        }
        let exports = body.matches(of: Self.anExport).map(\.output.name)
        let names = exports.joined(separator: ", ")
        text += ScriptLine.squeezed(
            """
            \(exports.isEmpty ? "" : "const { \(names) } = ")(() => {
            \(body.replacing(Self.anExport) { "\($0.output.kind) \($0.output.name)" })
            \(exports.isEmpty ? "" : "return { \(names) };")
            })();
            """
        )
        made.formUnion(exports)
    }

    /// A whole comment line, or the indentation of another line.
    private static var aCommentOrIndent: Regex<Substring> { #/(?m)^[ \t]*\/\/.*\n|^[ \t]+/# }

    private static var anImport: Regex<(Substring, names: Substring)> {
        #/import \{(?<names>[^}]*)\} from "\.\/[^"]*";/#
    }

    private static var anExport: Regex<(Substring, kind: Substring, name: Substring)> {
        #/(?m)^export (?<kind>async function|function|class|const) (?<name>\w+)/#
    }
}
