/// A JSON value; numbers stay as they were written.
package enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case number(String)
    case string(String)
    case array([JSONValue])
    case object([Member])

    /// A name with its value in an object.
    package struct Member: Hashable, Sendable {
        package let name: String
        package let value: JSONValue
    }

    /// The kind in the words of Go.
    var kindWord: String {
        switch self {
        case .null: "null"
        case .bool: "bool"
        case .number: "number"
        case .string: "string"
        case .array: "array"
        case .object: "object"
        }
    }

    /// The member with a name, whatever the case of letters, as in Go: the last of several, and nil
    /// for null.
    package subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        let name = name.lowercased()
        let found = members.last { $0.name.lowercased() == name }?.value
        return found == .null ? nil : found
    }
}

/// Why a text is no JSON, in the words of Go.
package struct JSONFault: Error, Hashable, Sendable {
    package let words: String
}
