import Foundation
import ParleyKeys
import TestSupport
import Testing

@Suite struct DraftFileTests {
    /// Regression: drafts of processes that were killed stayed, with keys in them.
    @Test func theNextDraftRemovesOnlyThoseOfProcessesThatAreGone() throws {
        let directory = try TestDirectory()
        let files = FileManager.default
        func folder(_ name: String, mode: Int = 0o700, file: String = "draft") throws {
            try files.createDirectory(
                atPath: directory.path(name),
                withIntermediateDirectories: false,
                attributes: [.posixPermissions: mode]
            )
            _ = try directory.write("\(name)/\(file)", Data())
        }
        let alive = DraftFile(of: directory.path("alive"))
        try alive.write([1])
        let aliveName = try #require(try directory.names.first)
        try folder("key.new-1-2")
        try folder("key.new-3-4", file: "draft-wal")
        let others = ["key.new-1", "key.new-1-2-3", ".new-1-2", "key.new-5-6", "key.new-7-8"]
        for name in others.prefix(3) { try folder(name) }
        try folder("key.new-5-6", file: "notes")
        try folder("key.new-7-8", mode: 0o755)
        let draft = DraftFile(of: directory.path("next"))
        try draft.write([2])
        try draft.replace()
        draft.remove()
        #expect(try Set(directory.names) == Set(others + ["next", aliveName]))
        try alive.replace()
        alive.remove()
        #expect(try Set(directory.names) == Set(others + ["next", "alive"]))
    }
}
