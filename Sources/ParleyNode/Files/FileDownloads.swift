import ParleyCore
import ParleyLoop
package import ParleyTransport

/// The accepted files that are not here yet, the first accepted one first.
package struct FileDownloads {
    package private(set) var inOrder: [FileDownload] = []

    package init() {}

    /// The bytes that are still to come.
    package var missing: Int { inOrder.reduce(0) { $0 + $1.offer.file.bytes - $1.written } }

    package func of(_ session: SessionID) -> FileDownload? {
        inOrder.first { $0.offer.session == session }
    }

    /// The download for which a dial was begun.
    package func of(_ dial: TransportDialID) -> FileDownload? {
        inOrder.first { $0.phase == .dialling(dial) }
    }

    /// The first download that waits for a place and may have one.
    package func next(within limits: FileLimits) -> FileDownload? {
        let active = inOrder.filter(\.isActive)
        guard active.count < limits.received else { return nil }
        return inOrder.first { download in
            download.phase == .queued
                && active.count { $0.offer.author == download.offer.author }
                    < limits.receivedFromDevice
        }
    }

    package mutating func add(_ download: FileDownload) { inOrder.append(download) }

    package mutating func remove(_ session: SessionID) -> FileDownload? {
        inOrder.firstIndex { $0.offer.session == session }.map { inOrder.remove(at: $0) }
    }

    /// Forgets all downloads, whose timers do not fire any more.
    package mutating func stop() {
        for download in inOrder { download.timer.cancel() }
        inOrder = []
    }
}
