import Foundation
import ParleyCore

/// The name of a device for people: from the settings, from an earlier start, or the host name.
struct DeviceName: Sendable {
    /// Where a name comes from.
    enum Source: Sendable, Equatable {
        case settings
        case earlierStart
        case host
    }

    let text: String
    let source: Source
    /// Why the name could not be kept, or why a kept name is not used.
    let trouble: String?

    /// The name of a node without a data directory.
    init(given: GivenName?) {
        text = given?.text ?? Self.host
        source = given == nil ? .host : .settings
        trouble = nil
    }

    /// The name of a node, kept in `file` from start to start.
    init(given: GivenName?, keptIn file: KeptFile) {
        let kept: Result<String?, Unusable> = Self.kept(in: file)
        if let name = given?.text {
            text = name
            source = .settings
            trouble = kept == .success(name) ? nil : Self.keep(name, in: file)
        } else if case .success(let name?) = kept {
            text = name
            source = .earlierStart
            trouble = nil
        } else {
            text = Self.host
            source = .host
            if case .failure(let unusable) = kept {
                trouble = unusable.reason
            } else {
                trouble = nil
            }
        }
    }

    /// The host name, which was chosen for programs rather than people.
    private static var host: String {
        let name = ProcessInfo.processInfo.hostName
        return GivenName(adapting: name, bytesMax: Limits.deviceNameBytes)?.text ?? "parley"
    }

    /// Why a kept name is not used.
    private struct Unusable: Error, Equatable {
        let reason: String
    }

    private static func kept(in file: KeptFile) -> Result<String?, Unusable> {
        do throws(KeptFile.Failure) {
            // One byte more for the end of the line, which an editor may add.
            guard let bytes = try file.read(atMost: Limits.deviceNameBytes + 1) else {
                return .success(nil)
            }
            let line = bytes.last == 0x0A ? bytes.dropLast() : bytes[...]
            guard let text = String(validating: line, as: UTF8.self),
                let name = try? GivenName(text, bytesMax: Limits.deviceNameBytes)
            else {
                return .failure(Unusable(reason: "\(file.path) does not contain a name"))
            }
            return .success(name.text)
        } catch {
            return .failure(Unusable(reason: error.description))
        }
    }

    /// Keeps the name; returns why that failed, or nil.
    private static func keep(_ name: String, in file: KeptFile) -> String? {
        do throws(KeptFile.Failure) {
            try file.replace(with: Array(name.utf8) + [0x0A])
            return nil
        } catch {
            return "the name is not kept: \(error)"
        }
    }
}
