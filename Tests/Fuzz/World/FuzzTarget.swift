import Glibc

/// A reader of bytes that others choose.
protocol FuzzTarget: Sendable {
    init()

    /// Reads an input, and traps if a promise about the result does not hold.
    func run(_ bytes: [UInt8])

    /// Inputs to begin with that code makes; others are in the vectors.
    var seeds: [[UInt8]] { get }

    /// The memory that an input may take, in its own lengths; nil if nothing is promised.
    var heapFactor: Int? { get }
}

extension FuzzTarget {
    var seeds: [[UInt8]] { [] }
    var heapFactor: Int? { nil }
}

/// Ends the process if a promise does not hold.
func promise(_ holds: Bool, _ what: @autoclosure () -> String) {
    if !holds { end("broken: \(what())") }
}

/// Ends the process with words, as optimized code traps without any.
func end(_ what: String) -> Never {
    let line = Array((what + "\n").utf8)
    _ = write(STDERR_FILENO, line, line.count)
    preconditionFailure(what)
}
