import Foundation
import Testing
import Yams

/// The schemas of `docs/openapi.yaml`, and examples that follow from them.
struct APIDescription {
    let schemas: [String: Any]

    init() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../docs/openapi.yaml")
        let text = try String(contentsOf: file, encoding: .utf8)
        let document = try #require(try Yams.load(yaml: text) as? [String: Any])
        let components = try #require(document["components"] as? [String: Any])
        schemas = try #require(components["schemas"] as? [String: Any])
    }

    /// The properties of a schema, with whether each is required.
    func properties(of name: String) throws -> [String: (schema: Any, isRequired: Bool)] {
        let schema = try #require(schemas[name] as? [String: Any])
        let required = Set(schema["required"] as? [String] ?? [])
        return (schema["properties"] as? [String: Any] ?? [:]).reduce(into: [:]) { all, property in
            all[property.key] = (property.value, required.contains(property.key))
        }
    }

    /// The name of the schema to which another one refers.
    private func name(_ schema: [String: Any]) -> String? {
        (schema["$ref"] as? String)?.split(separator: "/").last.map(String.init)
    }

    /// An object with every property of a schema except `absent`, which contradict others.
    func example(of name: String, absent: Set<String> = []) throws -> [String: Any] {
        try properties(of: name).filter { !absent.contains($0.key) }.mapValues {
            try example($0.schema, absent, [name])
        }
    }

    /// An example of a schema; views inside a view are left out.
    private func example(_ schema: Any, _ absent: Set<String>, _ outer: [String]) throws -> Any {
        let schema = try #require(schema as? [String: Any])
        if let name = name(schema) {
            return try example(try #require(schemas[name]), absent, outer + [name])
        }
        if let part = (schema["allOf"] as? [Any])?.first { return try example(part, absent, outer) }
        if let value = schema["const"] { return value }
        if let value = (schema["enum"] as? [Any] ?? schema["examples"] as? [Any])?.first {
            return value
        }
        switch schema["type"] as? String {
        case "string": return Self.text(schema)
        case "integer": return 2
        case "number": return 0.5
        case "boolean": return true
        case "array":
            let items = try #require(schema["items"] as? [String: Any])
            guard name(items).map({ !outer.contains($0) }) ?? true else { return [Any]() }
            return [Any](
                repeating: try example(items, absent, outer),
                count: schema["minItems"] as? Int ?? 1
            )
        default:
            if let values = schema["additionalProperties"] {
                return ["key": try example(values, absent, outer)]
            }
            let properties = schema["properties"] as? [String: Any] ?? [:]
            return try properties.filter { !absent.contains($0.key) }.mapValues {
                try example($0, absent, outer)
            }
        }
    }

    private static func text(_ schema: [String: Any]) -> String {
        switch (schema["format"] ?? schema["contentEncoding"] ?? schema["pattern"]) as? String {
        case "uuid": "6BA7B810-9DAD-41D1-80B4-00C04FD430C8"
        case "date-time": "2026-01-02T03:04:05.500Z"
        case "base64": "AAEC"
        case "^[0-9a-f]{32}-[1-9][0-9]*$": String(repeating: "0f", count: 16) + "-7"
        default: "text"
        }
    }
}
