package import ParleyCore

/// What this iteration of the loop has brought for the machine: inputs, and requests to author.
///
/// Inputs are fed together at the end of the iteration, so that the machine pumps and the transport
/// writes once. Author requests share a signature and a commit.
package struct GatheredInputs {
    /// What the shell does after an input was added.
    package enum Next: Sendable {
        case nothing
        /// Feed at the end of the iteration.
        case feedAtEnd
        case feedNow
    }

    private var inputs: [NodeInput] = []
    private var bytes = 0
    private var requests: [AuthorRequest] = []
    /// Whether inputs are being fed, so that their consequences are fed as well.
    private var isFeeding = false
    private var isEndAwaited = false

    /// The received bytes that may be gathered; beyond that, the inputs are fed before the end of
    /// the iteration.
    package static let bytesMax = 1 << 20

    package init() {}

    package var isEmpty: Bool { inputs.isEmpty }

    /// Adds an input with so many received bytes.
    package mutating func add(_ input: NodeInput, bytes: Int = 0) -> Next {
        inputs.append(input)
        self.bytes += bytes
        guard !isFeeding else { return .nothing }
        guard self.bytes < Self.bytesMax else { return .feedNow }
        return awaitEnd() ? .feedAtEnd : .nothing
    }

    /// The iteration has ended, so that the next input waits for the end of a later one.
    package mutating func ended() { isEndAwaited = false }

    /// Inputs are fed from now on until `fed`, also those that are added meanwhile.
    ///
    /// - Returns: whether there are any; `last` is one.
    package mutating func beginFeeding(with last: NodeInput? = nil) -> Bool {
        if let last { inputs.append(last) }
        guard !isEmpty else { return false }
        isFeeding = true
        return true
    }

    /// Inputs are fed no longer.
    ///
    /// - Returns: whether to feed at the end of the iteration what was added since the last `take`.
    package mutating func fed() -> Bool {
        isFeeding = false
        return isEmpty ? false : awaitEnd()
    }

    /// The inputs so far, for the machine.
    package mutating func take() -> [NodeInput] {
        defer { (inputs, bytes) = ([], 0) }
        return inputs
    }

    private mutating func awaitEnd() -> Bool {
        defer { isEndAwaited = true }
        return !isEndAwaited
    }

    /// Adds a request.
    ///
    /// - Returns: whether it is the first since `takeRequests`, which is due at the end of the
    ///   iteration.
    package mutating func add(_ request: AuthorRequest) -> Bool {
        requests.append(request)
        return requests.count == 1
    }

    /// The requests so far, for the machine.
    package mutating func takeRequests() -> [AuthorRequest] {
        defer { requests = [] }
        return requests
    }
}
