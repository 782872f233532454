/// The time of the last change of each conversation, in seconds since 1970.
///
/// The time is written along with a change, at most once a minute for each conversation.
struct ActivityTable {
    private(set) var moments: [UInt32: Int64] = [:]
    private var written: [UInt32: Int64] = [:]

    /// The least time between two writes, in seconds.
    private static let interval: Int64 = 60

    init(recovered: [UInt32: Int64] = [:]) {
        moments = recovered
        written = recovered
    }

    /// Something of the conversations is being stored.
    ///
    /// - Returns: the conversations whose time has to be written.
    mutating func changed(_ numbers: Set<UInt32>, at now: Int64) -> [UInt32] {
        numbers.sorted().filter { number in
            moments[number] = now
            if let last = written[number], (0..<Self.interval).contains(now - last) { return false }
            written[number] = now
            return true
        }
    }

    mutating func left(_ number: UInt32) {
        moments[number] = nil
        written[number] = nil
    }
}
