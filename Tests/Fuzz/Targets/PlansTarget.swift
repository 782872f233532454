import ParleyFaults
import ParleyYAML

/// A plan for the simulator and the lab.
struct PlansTarget: FuzzTarget {
    func run(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        do throws(YAMLError) {
            let plan = try Plan(yaml: text)
            promise(!plan.hosts.isEmpty, "a plan without hosts")
            for world in PlanWorld.allCases { _ = plan.impossibleFaults(in: world) }
        } catch {
            promise(!error.message.isEmpty, "a refusal without words")
        }
    }
}
