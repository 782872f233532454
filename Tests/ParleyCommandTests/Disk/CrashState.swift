import Foundation
import TestSupport

/// A choice of what a power failure leaves of the changes that no sync has covered.
struct CrashChoice: Hashable, Sendable {
    /// How many of the names that are not durable are there.
    var namings: Int
    /// The changes that are missing, by their numbers.
    var missing: Set<Int> = []
    /// The writes of which some sectors are there.
    var torn: [Int: CrashDisk.Change.Sectors] = [:]

    /// Choices for one moment: everything, nothing, all but one change, one change alone or in
    /// part, and draws.
    static func all(
        of disk: CrashDisk,
        draws: Int,
        _ random: inout SeededRandom
    ) -> [CrashChoice] {
        let numbers = disk.files.values.flatMap { $0.pending.map(\.number) }.sorted()
        let most = disk.namings.count
        var choices = (0...most).flatMap { count in
            [CrashChoice(namings: count), CrashChoice(namings: count, missing: Set(numbers))]
        }
        for number in numbers.suffix(4) {
            choices.append(CrashChoice(namings: most, missing: [number]))
            choices.append(
                CrashChoice(namings: most, missing: Set(numbers).subtracting([number]))
            )
            for bytes in [512, 4_096] {
                for mask in [0x5555_5555_5555_5555, 0xFFFF_FFFF_0000_0000, UInt64(1), 0] {
                    let sectors = CrashDisk.Change.Sectors(bytes: bytes, mask: mask)
                    choices.append(CrashChoice(namings: most, torn: [number: sectors]))
                }
            }
        }
        guard !numbers.isEmpty else { return choices }
        for _ in 0..<draws {
            let namings = Int.random(in: 0...most, using: &random)
            choices.append(drawn(of: numbers, namings: namings, &random))
        }
        return choices
    }

    private static func drawn(
        of numbers: [Int],
        namings: Int,
        _ random: inout SeededRandom
    ) -> CrashChoice {
        var choice = CrashChoice(namings: namings)
        let missing = Int.random(in: 1...8, using: &random)
        for number in numbers {
            switch Int.random(in: 0..<9, using: &random) {
            case ..<missing: choice.missing.insert(number)
            case 8:
                choice.torn[number] = CrashDisk.Change.Sectors(
                    bytes: Bool.random(using: &random) ? 512 : 4_096,
                    mask: random.next()
                )
            default: break
            }
        }
        return choice
    }
}

/// Files as a power failure has left them.
struct CrashState {
    /// The contents by name; a file that is mapped into memory is not among them.
    private(set) var files: [String: Data] = [:]
    /// The same for states that are alike.
    let key: Int

    init(_ disk: CrashDisk, _ choice: CrashChoice) {
        var hasher = Hasher()
        let names = disk.names(with: choice.namings).sorted { $0.key < $1.key }
        for (name, number) in names where !name.hasSuffix("-shm") {
            guard let file = disk.files[number] else { continue }
            var contents = file.durable
            for change in file.pending where !choice.missing.contains(change.number) {
                change.carryOut(in: &contents, sectors: choice.torn[change.number] ?? .all)
            }
            files[name] = contents
            hasher.combine(name)
            hasher.combine(number)
            hasher.combine(file.version)
            hasher.combine(contents.count)
            for change in file.pending {
                // Without the changes, the bytes follow from the version.
                let end = change.offset + (change.bytes?.count ?? 0)
                let range = min(change.offset, contents.count)..<min(end, contents.count)
                contents[range].withUnsafeBytes { hasher.combine(bytes: $0) }
            }
        }
        key = hasher.finalize()
    }

    /// Writes the files into a new directory at this path.
    func write(to path: String) throws {
        try FileManager.default.createDirectory(
            atPath: path,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700]
        )
        for (name, contents) in files where !name.contains("/") {
            let file = open("\(path)/\(name)", O_WRONLY | O_CREAT, 0o600)
            let count = contents.withUnsafeBytes {
                Foundation.write(file, $0.baseAddress, $0.count)
            }
            close(file)
            guard count == contents.count else { throw Broken("\(path)/\(name) is not written") }
        }
    }
}
