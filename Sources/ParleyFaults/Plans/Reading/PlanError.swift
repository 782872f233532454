/// The reason why a file is not a plan, with its line and a hint.
package struct PlanError: Error, Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        /// The file is not YAML, or uses a feature of YAML that plans do not allow.
        case notYAML
        case unknownKey, missingKey, wrongType
        case unknownHost, unknownConversation, unknownMessage
        /// A value is not of its kind or out of its range.
        case badValue
        /// An entry that may appear once appears twice.
        case repeated
        /// A step's time is before that of the step above it.
        case impossibleTime
        /// A step cannot be carried out in the state that the steps before it leave.
        case impossibleStep
        /// A limit of `PlanLimits` is exceeded.
        case tooLarge
    }

    /// The line, from 1; 0 for the whole file.
    package var line: Int
    package var kind: Kind
    /// The problem, in one sentence.
    package var message: String
    /// A hint how to mend it; may be empty.
    package var hint: String

    init(_ kind: Kind, line: Int, _ message: String, hint: String = "") {
        self.line = line
        self.kind = kind
        self.message = message
        self.hint = hint
    }
}

/// The limits of a plan.
package enum PlanLimits {
    package static let fileBytes = 256 << 10
    package static let hosts = 16
    package static let conversations = 8
    /// The number of steps after `repeat`, `turns` and `works` are expanded.
    package static let steps = 5_000
    package static let messagesOfBatch = 100_000
    package static let nameCharacters = 32
    /// The size of a message, in bytes.
    package static let picture = 4 << 20
    package static let time = "1d"
    /// The time limit of an expectation that names none.
    package static let expectationMilliseconds: Int64 = 5_000
}
