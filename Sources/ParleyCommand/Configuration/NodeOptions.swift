import Logging
import ParleyCore
import ParleyNode
import ParleyYAML

/// All options of a node, from arguments, the environment or a file.
struct NodeOptions: Equatable, Sendable {
    /// The data directory; nil for the usual one.
    var data: String?
    /// The name for people; nil for the name kept in the data directory.
    var name: String?
    /// The addresses to listen on; empty for all of the machine.
    var listen: [String] = []
    var peers: [String] = []
    var interfaces: [String] = []
    var usesDiscovery = true
    var isRelay = false
    /// The address of the page, or `off`; nil for the usual one.
    var web: String?
    var headless: [String] = []
    /// The address at which programs read the metrics; nil for none.
    var metrics: String?
    var log = LogOptions()
    var limits = Limits()

    /// The value of `web` that turns the page off; other words for no do the same.
    static let off = "off"

    static func isOff(_ web: String) -> Bool { YAMLNode.isYes(web) == false }

    /// Whether the node serves its page.
    var hasPage: Bool { !isRelay && !(web.map(Self.isOff) ?? false) }
}

/// The level and the form of the log.
struct LogOptions: Equatable, Sendable {
    /// The forms of a line.
    enum Format: String, CaseIterable, Sendable {
        case text, json
    }

    /// The least level of written lines.
    var level = Logger.Level.info
    /// The same for single subsystems, by their names.
    var levels: [String: Logger.Level] = [:]
    var format = Format.text

    /// The parts of a node that have lines of their own.
    static let subsystems = LogPart.allCases.map(\.rawValue) + ["apps"]

    /// The least level of the lines of a logger with this label, such as `parley.node`.
    func level(of label: String) -> Logger.Level {
        levels[String(label.split(separator: ".").last ?? "")] ?? level
    }
}
