/// Why a benchmark failed.
enum BenchError: Error, CustomStringConvertible {
    case usage(String)
    /// A system call or a child process failed.
    case system(String)
    /// A peer violated the protocol.
    case unexpected(String)
    /// Envelopes were lost, repeated or changed.
    case wrongCount(String)
    case timeout(String)

    var description: String {
        switch self {
        case .usage(let text): text
        case .system(let text): "system: \(text)"
        case .unexpected(let text): "unexpected: \(text)"
        case .wrongCount(let text): "wrong count: \(text)"
        case .timeout(let text): "not within its time: \(text)"
        }
    }
}
