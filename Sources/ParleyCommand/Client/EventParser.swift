package import Foundation

/// A parser of server-sent events: the part of the HTML standard that the API uses.
package struct EventParser: Sendable {
    /// An event: its name and its data.
    package struct Event: Hashable, Sendable {
        package var name: String
        package var data: Data
    }

    private var splitter = LineSplitter()
    private var name = "message"
    private var data = Data()

    /// Makes a parser at the start of a stream.
    package init() {}

    /// The events that these bytes complete.
    package mutating func add(_ bytes: some Sequence<UInt8>) -> [Event] {
        var events: [Event] = []
        for line in splitter.add(bytes) {
            let line = line.last == 0x0D ? line.dropLast() : line[...]
            if line.isEmpty {
                if !data.isEmpty { events.append(Event(name: name, data: data)) }
                name = "message"
                data = Data()
            } else if let value = Self.value(of: "event", in: line) {
                name = String(decoding: value, as: UTF8.self)
            } else if let value = Self.value(of: "data", in: line) {
                if !data.isEmpty { data.append(0x0A) }
                data.append(contentsOf: value)
            }
        }
        return events
    }

    private static func value(of field: String, in line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard line.starts(with: Array("\(field):".utf8)) else { return nil }
        let value = line.dropFirst(field.utf8.count + 1)
        return value.first == 0x20 ? value.dropFirst() : value
    }
}
