import Foundation
import Glibc
import ParleyAPI
import ParleyLoop

/// The checks of a data directory, its disk, and the process of the node in it.
struct DirectoryChecks {
    let directory: URL
    /// The command that starts the node.
    let start: String

    private static let spaceWarning = 1e9
    private static let spaceCritical = 1e8
    private static let syncWarning = 0.1
    private static let syncCritical = 1.0

    /// All findings; the disk is written to once.
    var findings: [Finding] { [rights, space, sync, descriptors] }

    private var path: String { directory.path }

    private var rights: Finding {
        let check = "data-directory"
        guard let status = Self.status(of: path) else {
            return Finding(
                check,
                errno == ENOENT ? .critical : .unknown,
                "\(path): \(Self.reason)",
                cure: errno == ENOENT ? "\(start)   # or name the directory with --data" : nil
            )
        }
        let me = geteuid()
        if me != 0, status.owner != me {
            let owner = getpwuid(status.owner).map { String(cString: $0.pointee.pw_name) }
            let name = owner ?? "\(status.owner)"
            let cure = "runuser -u \(name) -- parley doctor --data \(ShellWord.quoted(path))"
            return Finding(check, .unknown, "\(path) belongs to \(name)", cure: cure)
        }
        var wrong: [(problem: String, cure: String)] = []
        let mask = 0o077
        for name in ["", "device.key", "person.key", "parley.sqlite"] {
            let file = name.isEmpty ? path : "\(path)/\(name)"
            guard let found = Self.status(of: file) else { continue }
            let quoted = ShellWord.quoted(file)
            if found.mode & mask != 0 {
                let mode = String(found.mode, radix: 8)
                wrong.append(("\(file) has mode \(mode): others may use it", "chmod go= \(quoted)"))
            }
            if found.owner != status.owner {
                let cure = "chown --reference=\(ShellWord.quoted(path)) \(quoted)"
                wrong.append(("\(file) has another owner than its directory", cure))
            }
        }
        guard wrong.isEmpty else {
            let evidence = wrong.map(\.problem).joined(separator: "; ")
            let cure = wrong.map(\.cure).joined(separator: " && ")
            return Finding(check, .critical, evidence, cure: cure)
        }
        return Finding(check, .ok, "\(path), for its owner only")
    }

    private var space: Finding {
        var system = statvfs()
        guard statvfs(path, &system) == 0 else {
            return Finding("disk-space", .skipped, "\(path): \(Self.reason)")
        }
        let free = Double(system.f_bavail) * Double(system.f_frsize)
        let isOutOfFiles = system.f_favail == 0 && system.f_files > 0
        let state: Finding.State =
            isOutOfFiles || free < Self.spaceCritical
            ? .critical : free < Self.spaceWarning ? .warning : .ok
        let counted = isOutOfFiles ? "--inodes" : "-h"
        return Finding(
            "disk-space",
            state,
            "\(TerminalText.size(Int(free))) and \(system.f_favail) files free",
            cure: state == .ok ? nil : "du -x \(counted) --max-depth=2 / | sort -h | tail",
            figures: [
                Finding.Figure(
                    "free",
                    free,
                    .bytes,
                    warning: Self.spaceWarning,
                    critical: Self.spaceCritical
                )
            ]
        )
    }

    /// Writes and syncs a file several times; the median time counts.
    private var sync: Finding {
        let check = "disk-sync"
        var name = Array("\(path)/.doctor.XXXXXX".utf8CString)
        let file = mkstemp(&name)
        guard file >= 0 else {
            let isFull = [ENOSPC, EDQUOT, EIO, EROFS].contains(errno)
            return Finding(check, isFull ? .critical : .skipped, "\(path): \(Self.reason)")
        }
        defer { close(file) }
        unlink(name)
        let block = [UInt8](repeating: 0x5A, count: 4_096)
        var times: [Double] = []
        for number in 0..<5 {
            let start = ContinuousClock.now
            guard pwrite(file, block, block.count, number * block.count) == block.count,
                fsync(file) == 0
            else { return Finding(check, .critical, "\(path): \(Self.reason)") }
            times.append((ContinuousClock.now - start) / .seconds(1))
        }
        let time = times.sorted()[times.count / 2]
        let state: Finding.State =
            time > Self.syncCritical ? .critical : time > Self.syncWarning ? .warning : .ok
        let shown = (time * 10_000).rounded() / 10
        return Finding(
            check,
            state,
            "4 KiB are on disk after \(shown) ms, the middle of \(times.count) times",
            cure: state == .ok ? nil : "iostat -x 1 5   # or move the directory to another disk",
            figures: [
                Finding.Figure(
                    "sync",
                    time,
                    .seconds,
                    warning: Self.syncWarning,
                    critical: Self.syncCritical
                )
            ]
        )
    }

    /// The process that has locked the directory, according to the lock.
    private var process: Int32? {
        guard let text = try? String(contentsOfFile: "\(path)/lock", encoding: .utf8),
            let number = Int32(text.prefix { $0.isNumber }), kill(number, 0) == 0 || errno == EPERM
        else { return nil }
        return number
    }

    private var descriptors: Finding {
        let check = "descriptors"
        guard let process else { return Finding(check, .skipped, "no process has the directory") }
        let folder = "/proc/\(process)"
        guard let open = try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/fd").count,
            let limits = try? String(contentsOfFile: "\(folder)/limits", encoding: .utf8),
            let line = limits.split(separator: "\n").first(where: { $0.hasPrefix("Max open files") }
            ),
            let limit = line.split(separator: " ").dropFirst(3).first.flatMap({ Int($0) })
        else {
            return Finding(check, .skipped, "\(folder) cannot be read as this user")
        }
        // A node with only the reserve left accepts nobody, not even the doctor.
        let critical = min(limit * 95 / 100, limit - 2 * AcceptLoop.Limits().descriptorsLeft)
        let warning = min(limit * 8 / 10, critical)
        // A node with unusual limits reports its need at the start.
        let needed = NodeOptions().descriptorsMax
        let isLow = limit < needed
        let state: Finding.State =
            open >= critical ? .critical : open >= warning || isLow ? .warning : .ok
        return Finding(
            check,
            state,
            "\(open) of at most \(limit) are open"
                + (isLow ? "; a node needs up to \(needed)" : ""),
            cure: state == .ok
                ? nil
                : "start the node with a higher limit: LimitNOFILE= of its unit, or ulimit -n",
            figures: [
                Finding.Figure(
                    "open",
                    Double(open),
                    .files,
                    warning: Double(warning),
                    critical: Double(critical)
                )
            ]
        )
    }

    /// The owner and the mode of a file; nil, with the reason in `errno`, if unknown.
    private static func status(of file: String) -> (owner: UInt32, mode: Int)? {
        guard access(file, F_OK) == 0,
            let found = try? FileManager.default.attributesOfItem(atPath: file),
            let owner = found[.ownerAccountID] as? Int, let mode = found[.posixPermissions] as? Int
        else { return nil }
        return (UInt32(owner), mode)
    }

    private static var reason: String { String(cString: strerror(errno)) }
}
