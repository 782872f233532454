import ArgumentParser
import Foundation
import ParleyAPI
import ParleyFaults

/// The options for files about the run of a plan.
struct PlanFiles: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Write the expectations as test cases in JUnit's XML, for a build server.",
            valueName: "file"
        )
    )
    var junit: String?
    @Option(
        help: ArgumentHelp(
            "Draw when each step began and ended, as SVG.",
            valueName: "file"
        )
    )
    var timeline: String?

    /// Looks whether the files can be written, before the run.
    func check() throws(Problem) {
        if let junit { try OutputFile(junit, option: "--junit").check() }
        if let timeline { try OutputFile(timeline, option: "--timeline").check() }
    }

    /// Writes what was asked for.
    func write(_ runs: [JUnitDocument.Run], of path: String) throws(Problem) {
        if let junit {
            let document = JUnitDocument(plan: path, runs: runs)
            try OutputFile(junit, option: "--junit").write(Data(document.text.utf8))
        }
        guard let timeline, let run = runs.first else { return }
        let picture = PlanTimeline(run.report)
        try OutputFile(timeline, option: "--timeline").write(Data(picture.text.utf8))
    }
}
