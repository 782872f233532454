/// Why a file is not a plan: where, what, and what to do about it.
package struct PlanError: Error, Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        /// Not YAML, or YAML that plans do not use.
        case notYAML
        case unknownKey, missingKey, wrongType
        case unknownHost, unknownConversation, unknownMessage
        /// A value that is not one of its kind, or out of its range.
        case badValue
        /// Something is there twice that can be there once.
        case repeated
        /// A time before that of the step before.
        case impossibleTime
        /// A step that cannot be done where it stands.
        case impossibleStep
        /// Over a limit of `PlanLimits`.
        case tooLarge
    }

    /// From 1; 0 for the whole file.
    package var line: Int
    package var kind: Kind
    /// One sentence.
    package var message: String
    /// What to do about it; may be empty.
    package var hint: String

    init(_ kind: Kind, line: Int, _ message: String, hint: String = "") {
        self.line = line
        self.kind = kind
        self.message = message
        self.hint = hint
    }
}

/// What a plan may have at most.
package enum PlanLimits {
    package static let fileBytes = 256 << 10
    package static let hosts = 16
    package static let conversations = 8
    /// After `repeat`, `turns` and `works` are written out.
    package static let steps = 5_000
    package static let messagesOfBatch = 100_000
    package static let nameCharacters = 32
    /// Of a message, in bytes.
    package static let picture = 4 << 20
    package static let time = "1d"
    /// How long an expectation may take if it does not say.
    package static let expectationMilliseconds: Int64 = 5_000
}
