/// A node with a deliberate fault around its machine, which a checker must find.
///
/// Mutants of the machine itself are patches, in `Tests/Mutants`.
package struct Mutant: Sendable, CustomStringConvertible {
    package let name: String
    /// The first seed at which a checker found the fault.
    package let seed: UInt64
    /// The fault and the broken promise.
    package let fault: String
    private let change: @Sendable (inout FaultyNode) -> Void

    init(
        _ name: String,
        seed: UInt64,
        _ fault: String,
        _ change: @escaping @Sendable (inout FaultyNode) -> Void
    ) {
        self.name = name
        self.seed = seed
        self.fault = fault
        self.change = change
    }

    package var description: String { name }

    /// All mutants that are wrappers around a machine.
    package static let all = ofCommits + ofDisks + ofDeliveries + ofLinks + ofKeys

    /// The faults around one process.
    func faultyNode() -> FaultyNode {
        var node = FaultyNode()
        change(&node)
        return node
    }
}
