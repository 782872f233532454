import ParleyAPI

/// Reports the error of a command.
enum FailureReport {
    /// The problem that describes an error.
    static func problem(_ error: any Error) -> Problem {
        switch error {
        case let problem as Problem: problem
        default: Problem(.internal, "\(error)", hint: "This is a bug in parley; please report it.")
        }
    }
}
