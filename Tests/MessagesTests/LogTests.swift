import Foundation
import OSLog
import Testing

/// The product `OSLog`: lines for a log, as code for Apple's systems writes them.
@Suite struct LogTests {
    @Test func textsArePrivateAndNumbersAreNot() {
        let (name, count, share) = ("ann", 3, 0.25)
        let line: OSLogMessage = "\(name) has \(count), \(share, format: .fixed(precision: 1))"
        #expect(line.text == "<private> has 3, 0.2")
        let open: OSLogMessage = "\(name, privacy: .public) \(count, privacy: .private) \(true)"
        #expect(open.text == "ann <private> true")
        let table: OSLogMessage = "\(7, format: .hex, align: .right(columns: 3))|\(URL.self)"
        #expect(table.text == "  7|<private>")
    }

    /// Regression: an app that logs what others wrote could forge lines, and change the terminal.
    @Test func aLineStaysALine() {
        let line = OSLog.printable("one\nerror: two\u{1B}[2J \u{202E}oof\u{2028}é 🎲")
        #expect(line == "one\u{FFFD}error: two\u{FFFD}[2J \u{FFFD}oof\u{FFFD}é 🎲")
    }

    @Test func aWrongFormatGivesAnOddLine() {
        func filled(_ format: StaticString, _ values: Any...) -> String {
            OSLogFormat(format).filled(with: values)
        }
        #expect(filled("%d of %ld, %x", 1, 2, 255) == "1 of 2, ff")
        #expect(filled("%@ %{public}@ %{private}d", "ann", "ben", 3) == "<private> ben <private>")
        #expect(filled("%.2f%% %5.1f", 12.345, Float(1)) == "12.35%   1.0")
        #expect(filled("%@ %{public}@ %s", 1, 2.5, 3) == "1 2.500000 3")
        #expect(filled("%{public}d %@", "x") == "x <missing>")
        #expect(filled("100%") == "100<missing>")
    }

    /// Nothing of this may need a log that the program has chosen.
    @Test func everyWayToWriteCompiles() {
        let log = OSLog(subsystem: "test", category: "log")
        os_log("off", log: .disabled, type: .error)
        os_log(.debug, log: .disabled, "off %d", 1)
        os_log(.debug, log: .disabled, "off \(1)")
        Logger(.disabled).fault("off")
        #expect(OSLogType.fault.rawValue == 17 && log !== OSLog.default)
    }
}
