import Foundation

/// A call that fails: the n-th of its kind, alone or with all that follow.
///
/// The text, such as `write:17:ENOSPC:ever`, names a fault on the command line.
struct DiskFault: Sendable, Hashable, CustomStringConvertible {
    enum Failure: Int32, CaseIterable, Sendable {
        case EIO = 5
        case ENOSPC = 28
        case EROFS = 30
        /// Half of the bytes are read or written, and no error is said.
        case short = 0
    }

    let kind: DiskRecord.Kind
    let number: Int
    let failure: Failure
    let isForEver: Bool

    init(_ kind: DiskRecord.Kind, _ number: Int, _ failure: Failure, isForEver: Bool) {
        self.kind = kind
        self.number = number
        self.failure = failure
        self.isForEver = isForEver
    }

    /// Reads the text of a fault.
    init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ":")
        guard parts.count == 4,
            let kind = Self.failures.keys.first(where: { "\($0)" == parts[0] }),
            let number = Int(parts[1]),
            let failure = Failure.allCases.first(where: { "\($0)" == parts[2] }),
            ["once", "ever"].contains(parts[3])
        else { return nil }
        self.init(kind, number, failure, isForEver: parts[3] == "ever")
    }

    var description: String {
        "\(kind):\(number):\(failure):\(isForEver ? "ever" : "once")"
    }

    /// The value of `DISK_FAULT`.
    var words: String {
        "\(kind.rawValue):\(number):\(failure.rawValue):\(isForEver ? Int.max : number)"
    }

    /// What the kernel says of each kind of call.
    static let failures: [DiskRecord.Kind: [Failure]] = [
        .open: [.EIO],
        .create: [.EIO, .ENOSPC, .EROFS],
        .read: [.EIO, .short],
        .write: [.EIO, .ENOSPC, .EROFS, .short],
        .sync: [.EIO, .ENOSPC, .EROFS],
        .truncate: [.EIO, .EROFS],
        .name: [.EIO, .ENOSPC, .EROFS],
        .unlink: [.EIO, .EROFS],
        .directory: [.EIO, .ENOSPC, .EROFS],
    ]

    /// All faults of a run with these calls.
    static func all(of records: [DiskRecord]) -> [DiskFault] {
        failures.flatMap { kind, failures in
            let count = records.count { $0.kind == kind }
            return failures.flatMap { failure in
                (0..<count).flatMap { number in
                    [true, false].map { DiskFault(kind, number + 1, failure, isForEver: $0) }
                }
            }
        }
        .sorted { $0.description < $1.description }
    }

    /// Whether a text for people gives this reason.
    func isReason(_ text: String) -> Bool {
        let words =
            switch failure {
            case .EIO: ["Input/output error", "disk failed"]
            case .ENOSPC: ["No space", "no space", "disk is full"]
            case .EROFS: ["ead-only"]
            case .short: [String]()
            }
        return words.contains { text.contains($0) }
    }
}
