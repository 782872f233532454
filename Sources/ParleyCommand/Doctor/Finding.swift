/// The result of one check of `parley doctor`.
package struct Finding: Hashable, Sendable, Encodable {
    /// The severity, in the words of Nagios.
    package enum State: String, Hashable, Sendable, Encodable {
        case ok
        /// The check could not be done or does not apply, which says nothing about the node.
        case skipped
        case unknown, warning, critical
    }

    /// A figure that the check has measured.
    package struct Figure: Hashable, Sendable, Encodable {
        /// A unit that Nagios and Prometheus know.
        package enum Unit: String, Hashable, Sendable, Encodable {
            case bytes, seconds, files
        }

        package let name: String
        package let value: Double
        package let unit: Unit
        /// The values from which the state is a warning, or critical.
        package var warning: Double?
        package var critical: Double?

        package init(
            _ name: String,
            _ value: Double,
            _ unit: Unit,
            warning: Double? = nil,
            critical: Double? = nil
        ) {
            self.name = name
            self.value = value
            self.unit = unit
            self.warning = warning
            self.critical = critical
        }
    }

    /// The name for programs, in lower case with hyphens.
    package let check: String
    package let state: State
    /// The evidence in one line.
    package let evidence: String
    /// The cure, as a command where there is one.
    package var cure: String?
    /// Further lines.
    package var details: [String] = []
    package var figures: [Figure] = []

    /// Makes a finding; the texts may contain texts of others.
    package init(
        _ check: String,
        _ state: State,
        _ evidence: String,
        cure: String? = nil,
        details: [String] = [],
        figures: [Figure] = []
    ) {
        self.check = check
        self.state = state
        self.evidence = TerminalText.safe(evidence)
        self.cure = cure.map(TerminalText.safe)
        self.details = details.map(TerminalText.safe)
        self.figures = figures
    }
}
