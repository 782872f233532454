import Foundation
import ParleyAPI
import ParleyYAML

/// The file of a configuration, and the variables of the environment for it.
enum ConfigurationFile {
    /// The file of the service that the package installs.
    static let usual = "/etc/parley/parley.yaml"
    private static let prefix = "PARLEY_"
    private static let variable = "PARLEY_CONFIG"
    /// The prefix of variables for tests only.
    private static let testPrefix = "PARLEY_TEST_"

    /// The file named by the option, or else by the environment; nil for none.
    static func path(option: String?, environment: [String: String]) -> String? {
        if let option { return option }
        return environment[variable].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Refuses unknown variables with Parley's prefix, which would be ignored.
    static func checkNames(in environment: [String: String]) throws(Problem) {
        let known = ConfigurationKey.all.map(\.variable) + [variable]
        let strange = environment.keys.filter { name in
            name.hasPrefix(prefix) && !name.hasPrefix(testPrefix) && !known.contains(name)
        }
        guard let first = strange.min() else { return }
        throw Problem(
            .usage,
            "The environment variable \(first) means nothing to Parley.",
            hint: NearMiss.hint(
                for: String(first.dropFirst(prefix.count)),
                among: known.map { String($0.dropFirst(prefix.count)) },
                prefix: prefix
            )
        )
    }
}
