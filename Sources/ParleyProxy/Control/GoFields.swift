/// Takes the fields of a JSON object with the errors of Go's decoder.
struct GoFields {
    private let value: JSONValue
    /// The name of the type and the fields that lead to the object.
    private let path: String

    /// Takes what should be an object of the type of that name in Go.
    ///
    /// - Throws: `badBody` if it is something else; null has no fields.
    init(_ value: JSONValue, of type: String, path: String) throws(ControlProblem) {
        switch value {
        case .object, .null: break
        default: throw Self.mismatch(value.kindWord, "value of type \(type)")
        }
        self.init(value, path: path)
    }

    private init(_ value: JSONValue, path: String) {
        self.value = value
        self.path = path
    }

    func string(_ name: String) throws(ControlProblem) -> String? {
        guard let value = value[name] else { return nil }
        guard case .string(let text) = value else { throw wrong(value, name, "string") }
        return text
    }

    func bool(_ name: String) throws(ControlProblem) -> Bool? {
        guard let value = value[name] else { return nil }
        guard case .bool(let flag) = value else { throw wrong(value, name, "bool") }
        return flag
    }

    func float(_ name: String) throws(ControlProblem) -> Float? {
        guard let value = value[name] else { return nil }
        guard case .number(let text) = value else { throw wrong(value, name, "float32") }
        guard let number = Float(text), number.isFinite else {
            throw wrong(number: text, name, "float32")
        }
        return number
    }

    func double(_ name: String) throws(ControlProblem) -> Double? {
        guard let value = value[name] else { return nil }
        guard case .number(let text) = value else { throw wrong(value, name, "float64") }
        guard let number = Double(text), number.isFinite else {
            throw wrong(number: text, name, "float64")
        }
        return number
    }

    func integer(_ name: String, type: String = "int64") throws(ControlProblem) -> Int64? {
        guard let value = value[name] else { return nil }
        guard case .number(let text) = value else { throw wrong(value, name, type) }
        guard let number = Int64(text) else { throw wrong(number: text, name, type) }
        return number
    }

    func array(_ name: String, type: String) throws(ControlProblem) -> [JSONValue]? {
        guard let value = value[name] else { return nil }
        guard case .array(let values) = value else { throw wrong(value, name, type) }
        return values
    }

    /// The fields of an object in a field; none if it is missing.
    func object(_ name: String, of type: String) throws(ControlProblem) -> GoFields {
        let inner = value[name] ?? .null
        switch inner {
        case .object, .null: return GoFields(inner, path: "\(type).\(name)")
        default: throw wrong(inner, name, "toxics.\(type)")
        }
    }

    // MARK: Errors

    private func wrong(_ value: JSONValue, _ name: String, _ type: String) -> ControlProblem {
        Self.mismatch(value.kindWord, "struct field \(path).\(name) of type \(type)")
    }

    private func wrong(number: String, _ name: String, _ type: String) -> ControlProblem {
        Self.mismatch("number \(number)", "struct field \(path).\(name) of type \(type)")
    }

    static func mismatch(_ found: String, _ wanted: String) -> ControlProblem {
        .badBody("json: cannot unmarshal \(found) into Go \(wanted)")
    }
}
