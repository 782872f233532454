/// The reason why a file, or a value in it, is refused: with its line and a hint.
package struct YAMLError: Error, Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        /// The file is not YAML, or uses a feature of YAML that is not allowed.
        case notYAML
        case unknownKey, missingKey, wrongType
        /// A name that is defined nowhere in the file.
        case unknownName
        /// A value is not of its kind or out of its range.
        case badValue
        /// An entry that may appear once appears twice.
        case repeated
        /// An entry contradicts what is written before it.
        case impossible
        /// A limit of the format is exceeded.
        case tooLarge
    }

    /// The line, from 1; 0 for the whole file.
    package var line: Int
    package var kind: Kind
    /// The problem, in one sentence.
    package var message: String
    /// A hint how to mend it; may be empty.
    package var hint: String

    package init(_ kind: Kind, line: Int, _ message: String, hint: String = "") {
        self.line = line
        self.kind = kind
        self.message = message
        self.hint = hint
    }
}
