import Foundation
import TestSupport

/// When the files of a node change.
enum DamageMoment: CaseIterable {
    case running
    /// After an end without a checkpoint.
    case killed
    case stopped
}

/// A flip of a bit, or the loss of a file's end.
struct FileChange: CustomStringConvertible {
    private let isLog: Bool
    private let isTruncation: Bool
    private let offset: Int
    private let bit: UInt8

    /// Draws a change of the database, or of its log where there is one.
    init(
        of files: FilesOfDatabase,
        isOpen: Bool,
        using random: inout SeededRandom
    ) {
        isLog = files.log?.isEmpty == false && Bool.random(using: &random)
        isTruncation = Int.random(in: 0..<5, using: &random) == 0
        // Most of a log is zeros that mean nothing.
        let used = (files.log ?? Data()).lastIndex { $0 != 0 } ?? 0
        let size = isLog ? used + 1 : files.database.count
        // One in three changes is in the first bytes of a page, where the structure is.
        let page = Int.random(in: 0..<max(1, size / 4_096), using: &random) * 4_096
        let place = Int.random(in: 0..<min(120, size), using: &random)
        let anywhere = Int.random(in: 0..<size, using: &random)
        offset = Int.random(in: 0..<3, using: &random) == 0 ? min(page + place, size - 1) : anywhere
        bit = 1 << UInt8.random(in: 0..<8, using: &random)
    }

    var description: String {
        "\(isLog ? "log" : "database") \(isTruncation ? "cut at" : "bit \(bit) of") \(offset)"
    }

    func make(in files: inout FilesOfDatabase) {
        var bytes = (isLog ? files.log : files.database) ?? Data()
        if isTruncation { bytes = bytes.prefix(offset) } else { bytes[offset] ^= bit }
        if isLog { files.log = bytes } else { files.database = bytes }
    }

    /// Makes the change in files that a node has open.
    func make(at path: String) throws {
        let file = try FileHandle(forUpdating: URL(filePath: isLog ? path + "-wal" : path))
        if isTruncation {
            try file.truncate(atOffset: UInt64(offset))
        } else {
            try file.seek(toOffset: UInt64(offset))
            let byte = try file.read(upToCount: 1)?.first ?? 0
            try file.seek(toOffset: UInt64(offset))
            try file.write(contentsOf: [byte ^ bit])
        }
        try file.close()
    }
}
