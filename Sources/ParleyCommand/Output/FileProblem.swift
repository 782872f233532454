import ParleyAPI

/// Problems in the files that commands read.
enum FileProblem {
    /// The problem of a file, or of one of its lines, which are counted from 1.
    static func at(
        _ path: String,
        line: Int,
        _ kind: Problem.Kind,
        _ message: String,
        hint: String = ""
    ) -> Problem {
        var problem = Problem(kind, message, hint: hint)
        problem.file = path
        problem.line = line > 0 ? line : nil
        return problem
    }

    /// The message behind its place, as compilers write both.
    static func sentence(_ problem: Problem) -> String {
        let line = problem.line.map(String.init)
        let place = problem.file.map { file in line.map { "\(file):\($0)" } ?? file }
        let prefix = place ?? line.map { "line \($0)" }
        return prefix.map { "\($0): \(problem.message)" } ?? problem.message
    }
}
