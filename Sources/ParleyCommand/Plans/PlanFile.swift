import Foundation
import ParleyAPI
import ParleyFaults
import ParleyYAML

/// A plan in a file.
enum PlanFile {
    /// Reads and checks a plan.
    ///
    /// - Throws: a `Problem` with the file, the line, and a remedy.
    static func read(_ path: String) throws(Problem) -> Plan {
        let data = try SmallFile.contents(of: path, bytesMax: PlanLimits.fileBytes, "plan")
        guard let text = String(data: data, encoding: .utf8) else {
            throw Problem(.badPlan, "\(path) is not text.", hint: "Save it as UTF-8.")
        }
        do {
            return try Plan(yaml: text)
        } catch {
            throw FileProblem.at(path, line: error.line, .badPlan, error.message, hint: error.hint)
        }
    }

    /// Refuses a plan that `world` cannot carry out, before the run.
    static func check(_ plan: Plan, in path: String, for world: PlanWorld) throws(Problem) {
        let name = world.rawValue
        let impossible = plan.impossibleFaults(in: world)
        if let first = impossible.first {
            var reasons: [String] = []
            for fault in impossible where !reasons.contains(fault.why) { reasons.append(fault.why) }
            let all = reasons.map { why in
                let faults = impossible.filter { $0.why == why }
                let places = faults.map { "\($0.name) (line \($0.line))" }
                return "\(places.joined(separator: ", ")): \(why)"
            }
            throw FileProblem.at(
                path,
                line: first.line,
                .faultNotPossible,
                "The \(name) does not support \(all.joined(separator: "; ")).",
                hint: world == .lab
                    ? "Run it with parley simulate --plan, or remove \(first.name)." : ""
            )
        }
        guard plan.worlds.contains(world) else {
            throw FileProblem.at(
                path,
                line: 0,
                .faultNotPossible,
                "The plan is not for the \(name): its worlds are "
                    + plan.worlds.map(\.rawValue).sorted().joined(separator: ", ") + ".",
                hint: "Add \(name) to worlds, or remove worlds."
            )
        }
    }
}
