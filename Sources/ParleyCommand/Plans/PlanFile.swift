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
        guard let text = String(data: try contents(path), encoding: .utf8) else {
            throw Problem(.badPlan, "\(path) is not text.", hint: "Save it as UTF-8.")
        }
        do {
            return try Plan(yaml: text)
        } catch {
            var problem = Problem(.badPlan, "\(path): \(error.message)", hint: error.hint)
            problem.line = error.line > 0 ? error.line : nil
            throw problem
        }
    }

    private static func contents(_ path: String) throws(Problem) -> Data {
        var isDirectory: ObjCBool = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory),
            isDirectory.boolValue
        {
            throw Problem(
                .noFile,
                "\(path) is a directory, and a plan is one file.",
                hint: "Name one of the YAML files in it."
            )
        }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw unreadable(path, errno) }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            // Reading one byte more than a plan may have shows whether it is too large.
            return try handle.read(upToCount: PlanLimits.fileBytes + 1) ?? Data()
        } catch {
            throw unreadable(path, EIO)
        }
    }

    private static func unreadable(_ path: String, _ code: Int32) -> Problem {
        Problem(
            .noFile,
            "\(path) cannot be read: \(String(cString: strerror(code))).",
            hint: "Check the path of the plan."
        )
    }

    /// Refuses a plan that `world` cannot carry out, before the run.
    static func check(_ plan: Plan, for world: PlanWorld) throws(Problem) {
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
            throw Problem(
                .faultNotPossible,
                "The \(name) does not support \(all.joined(separator: "; ")).",
                hint: world == .lab
                    ? "Run it with parley simulate --plan, or remove \(first.name)." : ""
            )
        }
        guard plan.worlds.contains(world) else {
            throw Problem(
                .faultNotPossible,
                "The plan is not for the \(name): its worlds are "
                    + plan.worlds.map(\.rawValue).sorted().joined(separator: ", ") + ".",
                hint: "Add \(name) to worlds, or remove worlds."
            )
        }
    }
}
