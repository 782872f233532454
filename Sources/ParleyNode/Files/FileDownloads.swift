import ParleyCore
import ParleyLoop
import ParleyTransport

/// The accepted files that are not here yet, the first accepted one first.
struct FileDownloads {
    private(set) var inOrder: [FileDownload] = []

    /// The bytes that are still to come.
    var missing: Int { inOrder.reduce(0) { $0 + $1.offer.file.bytes - $1.written } }

    func of(_ session: SessionID) -> FileDownload? {
        inOrder.first { $0.offer.session == session }
    }

    /// The download for which a dial was begun.
    func of(_ dial: TransportDialID) -> FileDownload? {
        inOrder.first { $0.phase == .dialling(dial) }
    }

    /// The first download that waits for a place and may have one.
    func next(within limits: FileLimits) -> FileDownload? {
        let active = inOrder.filter(\.isActive)
        guard active.count < limits.received else { return nil }
        return inOrder.first { download in
            download.phase == .queued
                && active.count { $0.offer.author == download.offer.author }
                    < limits.receivedFromDevice
        }
    }

    mutating func add(_ download: FileDownload) { inOrder.append(download) }

    mutating func remove(_ session: SessionID) -> FileDownload? {
        inOrder.firstIndex { $0.offer.session == session }.map { inOrder.remove(at: $0) }
    }

    /// Forgets all downloads, whose timers do not fire any more.
    mutating func stop() {
        for download in inOrder { download.timer.cancel() }
        inOrder = []
    }
}
