import Foundation

/// What a disk may have after a power failure: the calls up to a moment, of which those that no
/// sync has covered may be missing or in part there.
///
/// A sync of a file makes its bytes and its size durable, and a sync of a directory its names, as
/// far as they were written before the sync began. Names that are not durable are there up to one
/// of them, as file systems keep a journal of them; bytes are there in any selection.
struct CrashDisk {
    /// A write or a truncation.
    struct Change {
        let number: Int
        /// Nil for a truncation to `offset`.
        let bytes: Data?
        let offset: Int
    }

    /// The bytes of a file: durable ones, and changes since.
    struct File {
        var durable = Data()
        /// How many changes are durable, which says which bytes these are.
        var version = 0
        var pending: [Change] = []
        /// The changes that the syncs under way cover, the oldest sync first.
        fileprivate var syncs: [Int] = []
    }

    enum Naming {
        case make(String, UInt64)
        case move(String, String)
        case link(String, String)
        case remove(String)
    }

    private(set) var files: [UInt64: File] = [:]
    private(set) var names: [String: UInt64] = [:]
    private(set) var namings: [Naming] = []
    private var namingSyncs: [Int] = []
    private var directories: Set<UInt64> = []
    private var changes = 0

    /// All names with those that are not durable, of which `count` are there.
    func names(with count: Int) -> [String: UInt64] {
        namings.prefix(count).reduce(into: names) { Self.carryOut($1, in: &$0) }
    }

    /// Carries out the next recorded call.
    ///
    /// - Returns: whether a power failure after it may leave something else than one before it.
    mutating func carryOut(_ record: DiskRecord) -> Bool {
        switch record.kind {
        case .open, .create:
            guard let name = record.names.first else { return false }
            guard record.kind == .create else {
                if files[record.file] == nil { directories.insert(record.file) }
                return false
            }
            files[record.file] = File()
            namings.append(.make(name, record.file))
        case .write: add(record.bytes, at: record.offset, to: record.file)
        case .truncate: add(nil, at: record.offset, to: record.file)
        case .name:
            let names = (record.names[0], record.names[1])
            namings.append(record.file == 1 ? .link(names.0, names.1) : .move(names.0, names.1))
        case .unlink: namings.append(.remove(record.names[0]))
        case .syncBegins: beginSync(of: record.file)
        case .sync: endSync(of: record.file)
        case .read, .directory, .answer: return false
        }
        return record.kind != .syncBegins
    }

    private mutating func add(_ bytes: Data?, at offset: Int, to file: UInt64) {
        changes += 1
        let change = Change(number: changes, bytes: bytes, offset: offset)
        files[file, default: File()].pending.append(change)
    }

    private mutating func beginSync(of file: UInt64) {
        if directories.contains(file) { return namingSyncs.append(namings.count) }
        files[file]?.beginSync()
    }

    private mutating func endSync(of file: UInt64) {
        guard directories.contains(file) else {
            files[file]?.endSync()
            return
        }
        let count = namingSyncs.removeFirst()
        names = names(with: count)
        namings.removeFirst(count)
        namingSyncs = namingSyncs.map { max(0, $0 - count) }
    }

    private static func carryOut(_ naming: Naming, in names: inout [String: UInt64]) {
        switch naming {
        case .make(let name, let file): names[name] = file
        case .move(let from, let to): names[to] = names.removeValue(forKey: from)
        case .link(let from, let to): names[to] = names[from]
        case .remove(let name): names[name] = nil
        }
    }
}

extension CrashDisk.File {
    fileprivate mutating func beginSync() { syncs.append(pending.count) }

    fileprivate mutating func endSync() {
        guard !syncs.isEmpty else { return }
        let count = syncs.removeFirst()
        for change in pending.prefix(count) { change.carryOut(in: &durable) }
        pending.removeFirst(count)
        version += count
        syncs = syncs.map { max(0, $0 - count) }
    }
}

extension CrashDisk.Change {
    /// Carries out the change, or the sectors of it that reached the disk.
    func carryOut(in contents: inout Data, sectors: Sectors = .all) {
        guard let bytes else {
            if contents.count > offset { contents.removeSubrange(offset...) }
            if contents.count < offset { contents.append(Data(count: offset - contents.count)) }
            return
        }
        let end = offset + bytes.count
        if contents.count < end { contents.append(Data(count: end - contents.count)) }
        var start = offset
        while start < end {
            // Sectors are those of the disk, and not of the write.
            let next = min(end, (start / sectors.bytes + 1) * sectors.bytes)
            if sectors.isThere(start / sectors.bytes) {
                let written = bytes.dropFirst(start - offset).prefix(next - start)
                contents.replaceSubrange(start..<next, with: written)
            }
            start = next
        }
    }

    /// Which sectors of a write reached the disk; of the others the file has the size alone.
    struct Sectors: Hashable, Sendable {
        let bytes: Int
        /// Bit n is sector n, modulo 64.
        let mask: UInt64

        static let all = Sectors(bytes: 1 << 40, mask: .max)

        func isThere(_ number: Int) -> Bool { mask >> UInt64(number % 64) & 1 == 1 }
    }
}
