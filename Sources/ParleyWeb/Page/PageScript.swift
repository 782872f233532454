/// The JavaScript modules of the page as one script, for which a single request is enough.
///
/// A module becomes a function that is called at once and returns its exports, so all other
/// declarations stay private.
///
/// The translation understands two statements: `import { a, b } from "./name.js";`, and `export`
/// before a function, a class or a constant. An imported file must be appended before the importing
/// file. Indentation, comment lines, and spaces that separate nothing are left out, so no string of
/// the modules may span several lines.
package struct PageScript {
    package private(set) var text = ""

    package init() {}

    /// Appends the module of a file, such as `views.js`.
    package mutating func append(_ file: String, _ source: String) {
        let body = source.replacing(Self.aCommentOrIndent, with: "").replacing(Self.anImport) {
            found in
            "const {\(found.output.names)} = \(Self.name(of: found.output.file));"
        }
        let exports = body.matches(of: Self.anExport).map(\.output.name)
        text += ScriptLine.squeezed(
            """
            const \(Self.name(of: file)) = (() => {
            \(body.replacing(Self.anExport) { "\($0.output.kind) \($0.output.name)" })
            return { \(exports.joined(separator: ", ")) };
            })();
            """
        )
    }

    /// The constant that holds the exports of a file: `module_views` for `views.js`.
    private static func name(of file: Substring) -> String {
        "module_\(file.prefix { $0 != "." })"
    }

    private static func name(of file: String) -> String { name(of: file[...]) }

    /// A whole comment line, or the indentation of another line.
    private static var aCommentOrIndent: Regex<Substring> { #/(?m)^[ \t]*\/\/.*\n|^[ \t]+/# }

    private static var anImport: Regex<(Substring, names: Substring, file: Substring)> {
        #/import \{(?<names>[^}]*)\} from "\./(?<file>[^"]*)";/#
    }

    private static var anExport: Regex<(Substring, kind: Substring, name: Substring)> {
        #/(?m)^export (?<kind>async function|function|class|const) (?<name>\w+)/#
    }
}
