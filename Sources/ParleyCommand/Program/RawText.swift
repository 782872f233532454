import Foundation
import ParleyAPI

/// The bytes of the arguments and of the environment, which need not be text.
///
/// Swift replaces bytes that are not UTF-8 by U+FFFD, which would change a name or a message.
enum RawText {
    /// The variables that name files.
    private static let variables = ["PARLEY_DATA", "XDG_STATE_HOME"]

    /// The problem of the first argument or variable that is not UTF-8; nil if there is none.
    static var problem: Problem? {
        for index in 1..<max(1, Int(CommandLine.argc)) {
            guard let bytes = CommandLine.unsafeArgv[index], !isText(bytes) else { continue }
            return Problem(
                .usage,
                "Argument \(index) is not UTF-8: \(String(cString: bytes).quoted).",
                hint: "Write it in UTF-8. A file with another name can be renamed, or read through "
                    + "a path such as /dev/stdin."
            )
        }
        for name in variables {
            guard let bytes = getenv(name), !isText(bytes) else { continue }
            return Problem(
                .usage,
                "The variable \(name) is not UTF-8: \(String(cString: bytes).quoted).",
                hint: "Name a directory whose path is UTF-8."
            )
        }
        return nil
    }

    private static func isText(_ bytes: UnsafePointer<CChar>) -> Bool {
        String(validatingCString: bytes) != nil
    }
}
