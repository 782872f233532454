/// Something that was done to a stream, with the place where it was done.
package struct RecordedFault: Hashable, Sendable {
    /// The stream and the toxic.
    package struct Place: Hashable, Sendable {
        package let proxy: String
        package let connection: UInt64
        package let stream: StreamDirection
        package let toxic: String
    }

    package let place: Place
    package let offset: UInt64
    /// What was done, as in `delayed 100000000`.
    package let act: String

    init(_ fault: ChainFault, of connection: ProxiedConnection, _ stream: StreamDirection) {
        place = Place(
            proxy: connection.proxy,
            connection: connection.number,
            stream: stream,
            toxic: fault.toxic
        )
        offset = fault.offset
        act =
            switch fault.act {
            case .delayed(let nanoseconds): "delayed \(nanoseconds)"
            case .dropped(let count): "dropped \(count)"
            case .changed(let from, let to): "changed \(from) to \(to)"
            case .cut: "cut"
            case .closed: "closed"
            case .reset: "reset"
            }
    }

    /// Reads what `json` has written; nil for other JSON.
    package init?(_ json: JSONValue) {
        guard case .string(let proxy)? = json["proxy"],
            case .number(let connection)? = json["connection"],
            case .string(let stream)? = json["stream"], case .string(let toxic)? = json["toxic"],
            case .number(let offset)? = json["offset"], case .string(let act)? = json["act"],
            let connection = UInt64(connection), let stream = StreamDirection(rawValue: stream),
            let offset = UInt64(offset)
        else { return nil }
        place = Place(proxy: proxy, connection: connection, stream: stream, toxic: toxic)
        self.offset = offset
        self.act = act
    }

    /// The fault for people.
    package var words: String {
        "\(place.proxy), connection \(place.connection), \(place.stream.rawValue), "
            + "\(place.toxic), byte \(offset): \(act)"
    }

    /// One line of a trace.
    package func json(at milliseconds: Int64) -> String {
        JSONText.object([
            ("ms", "\(milliseconds)"), ("proxy", JSONText.string(place.proxy)),
            ("connection", "\(place.connection)"),
            ("stream", JSONText.string(place.stream.rawValue)),
            ("toxic", JSONText.string(place.toxic)), ("offset", "\(offset)"),
            ("act", JSONText.string(act)),
        ])
    }
}
