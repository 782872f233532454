import Glibc
import ParleyCore
import Synchronization

/// The space to keep free on the file system of a store.
///
/// The reserve is for the log of SQLite, the writes that wait for a commit, and other programs.
final class SpaceReserve: Sendable {
    private let least: Int
    private let isScarce = Mutex(false)

    /// Makes a reserve of `least` bytes, none if that is 0.
    init(least: Int) { self.least = least }

    /// Refuses to write into the file system of `file` while too little is free.
    ///
    /// After a refusal an eighth more has to be free, so that small changes of the free space do
    /// not stop and resume writing each time.
    func check(_ file: StoreFile, path: String) throws(StoreError) {
        guard least > 0, let free = file.freeBytes else { return }
        let isScarce = isScarce.withLock { isScarce in
            isScarce = free < (isScarce ? least + least / 8 : least)
            return isScarce
        }
        if isScarce { throw .scarce(path: path, free: free, least: least) }
    }
}

extension StoreWrite {
    /// Whether the write deletes a conversation, which people do to get space.
    var leaves: Bool {
        if case .conversationLeft = self { true } else { false }
    }
}
