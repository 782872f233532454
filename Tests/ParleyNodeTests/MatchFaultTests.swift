import ParleyCore
import ParleyNode
import Testing

@Suite struct MatchFaultTests {
    /// The public faults are those of the core, by their names.
    @Test func eachFaultHasAPublicOne() {
        #expect(MatchFault.allCases.map(\.rawValue) == Match.Fault.allCases.map(\.rawValue))
    }
}
