/// A fault of one stream of a proxy's connections, with its name and its attributes.
package struct Toxic: Hashable, Sendable {
    package let name: String
    package let kind: ToxicKind
    /// The stream as its maker wrote it: `Upstream` stays that.
    package let streamText: String
    /// The streams that it is in.
    package let directions: [StreamDirection]
    /// The share of connections that have the toxic, from 0 to 1.
    package var toxicity: Float
    /// The clients whose connections can have it; all if there is none.
    package var clients: [AddressRange] = []
    private var values: [String: AttributeValue] = [:]

    /// A toxic whose attributes are those of its kind; nil if there is no such stream.
    package init?(
        _ kind: ToxicKind,
        name: String? = nil,
        stream: String = StreamDirection.downstream.rawValue,
        toxicity: Float = 1
    ) {
        let text = stream.lowercased()
        if text == "both" {
            directions = StreamDirection.allCases
        } else if let direction = StreamDirection(rawValue: text) {
            directions = [direction]
        } else {
            return nil
        }
        self.kind = kind
        self.name = name ?? "\(kind.rawValue)_\(stream)"
        streamText = stream
        self.toxicity = toxicity
    }

    /// Whether connections from the address of these bytes can have the toxic.
    package func concerns(_ address: [UInt8]) -> Bool {
        clients.isEmpty || clients.contains { $0.contains(address) }
    }

    /// An attribute, which has the value of its kind unless it was set.
    package subscript(field: ToxicKind.Field) -> AttributeValue {
        get { values[field.name] ?? field.standard }
        set { values[field.name] = newValue }
    }

    /// The attributes to show.
    package var shown: [(field: ToxicKind.Field, value: AttributeValue)] {
        kind.fields.compactMap { field in
            let value = self[field]
            return field.isExtra && value == field.standard ? nil : (field, value)
        }
    }

    /// A whole number; 0 if the kind has no such attribute.
    package func integer(_ name: String) -> Int64 {
        if case .integer(let number)? = value(name) { number } else { 0 }
    }

    package func number(_ name: String) -> Double {
        if case .number(let number)? = value(name) { number } else { 0 }
    }

    package func word(_ name: String) -> String {
        if case .word(let word)? = value(name) { word } else { "" }
    }

    private func value(_ name: String) -> AttributeValue? {
        kind.fields.first { $0.name == name }.map { self[$0] }
    }
}
