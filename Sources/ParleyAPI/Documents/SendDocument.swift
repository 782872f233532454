package import Foundation

/// A message to send; in JSON, the fields have the names of the options of `parley send`.
@dynamicMemberLookup
package struct SendDocument: Hashable, Sendable {
    /// The texts of the layout.
    package var layout = ContentLayout()
    package var fields = Fields()

    /// The fields but the texts of the layout.
    package struct Fields: Codable, Hashable, Sendable {
        /// A text as people write it on the page, instead of an app's data and captions.
        package var text: String?
        package var url: String?
        package var session: String?
        /// The path of the picture, which only the command reads and never the node.
        package var image: String?
        /// The bytes of the picture (base64 in JSON); `imageType` is their media type.
        package var imageData: Data?
        package var imageType: String?
        /// Whether the picture keeps what it tells about place, time and camera.
        package var keepMetadata: Bool?
        package var summary: String?
        package var accessibilityLabel: String?
        package var app: String?
        package var next: [String]?
        package var replacing: [String]?
        /// The condition to wait for: `stored`, `delivered=N` or `linked=N`.
        package var wait: String?
        /// The timeout in seconds; the default is 10.
        package var timeout: Double?

        package enum CodingKeys: CodingKey, CaseIterable {
            case text, url, session, image, imageData, imageType, keepMetadata, summary
            case accessibilityLabel, app, next, replacing, wait, timeout
        }
    }

    package init() {}

    package subscript<Value>(dynamicMember path: WritableKeyPath<Fields, Value>) -> Value {
        get { fields[keyPath: path] }
        set { fields[keyPath: path] = newValue }
    }

    /// The names of all fields in JSON.
    package static let names =
        Set(Fields.CodingKeys.allCases.map(\.stringValue) + ContentLayout.texts.map(\.name))
}

extension SendDocument: Codable {
    package init(from decoder: any Decoder) throws {
        fields = try Fields(from: decoder)
        let texts = try decoder.container(keyedBy: AnyKey.self)
        for (name, path) in ContentLayout.texts {
            layout[keyPath: path] = try texts.decodeIfPresent(String.self, forKey: AnyKey(name))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        try fields.encode(to: encoder)
        var texts = encoder.container(keyedBy: AnyKey.self)
        for (name, path) in ContentLayout.texts {
            try texts.encodeIfPresent(layout[keyPath: path], forKey: AnyKey(name))
        }
    }
}

/// A key of a JSON object, whatever its name.
package struct AnyKey: CodingKey {
    package let stringValue: String
    package var intValue: Int? { nil }

    package init(_ name: String) {
        stringValue = name
    }

    package init?(stringValue: String) {
        self.init(stringValue)
    }

    package init?(intValue: Int) {
        nil
    }
}
