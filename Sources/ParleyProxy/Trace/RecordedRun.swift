/// A trace as it was read: the seed, the changes with their times, and the faults of each place.
package struct RecordedRun: Sendable {
    package let seed: UInt64
    package private(set) var changes: [ScheduledRequest] = []
    package private(set) var faults: [RecordedFault.Place: [RecordedFault]] = [:]

    /// Reads a trace.
    ///
    /// - Throws: `TraceFault` with the line that is none.
    package init(_ text: String) throws(TraceFault) {
        let lines = text.split(separator: "\n")
        guard let first = lines.first, let head = try? JSONReader.read(Array(first.utf8)),
            case .number(let number)? = head["seed"], let seed = UInt64(number),
            head["trace"] == .number("1")
        else { throw TraceFault(line: 1) }
        self.seed = seed
        for (index, line) in lines.enumerated().dropFirst() {
            guard let json = try? JSONReader.read(Array(line.utf8)),
                case .number(let number)? = json["ms"], let time = Int64(number)
            else { throw TraceFault(line: index + 1) }
            if let fault = RecordedFault(json) {
                faults[fault.place, default: []].append(fault)
            } else if case .string(let method)? = json["method"],
                case .string(let path)? = json["path"], case .string(let body)? = json["body"]
            {
                let request = ControlRequest(method, path, body: Array(body.utf8))
                changes.append(ScheduledRequest(milliseconds: time, request: request))
            } else {
                throw TraceFault(line: index + 1)
            }
        }
    }
}

/// A request at a time after the start.
package struct ScheduledRequest: Sendable {
    package let milliseconds: Int64
    package let request: ControlRequest

    package init(milliseconds: Int64, request: ControlRequest) {
        self.milliseconds = milliseconds
        self.request = request
    }
}

/// A line of a file that is no line of a trace.
package struct TraceFault: Error, Hashable, Sendable {
    package let line: Int
}
