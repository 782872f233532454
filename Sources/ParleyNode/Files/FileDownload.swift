import Dispatch
import ParleyCore
package import ParleyLoop
package import ParleyTransport

/// An accepted file on its way to this node.
///
/// Legal transitions:
/// - `queued -> opening`, when there is a place; `opening -> dialling`, once the part is open
/// - `dialling -> asking -> receiving`, with the connection; `receiving -> finishing`, at the end
/// - `opening`, `dialling`, `asking` or `receiving -> paused`, on a failure that may pass
/// - `paused -> queued`, after a while; `finishing -> done`
package final class FileDownload {
    package enum Phase: Equatable {
        case queued
        case opening
        case dialling(TransportDialID)
        case asking(ConnectionID)
        case receiving(ConnectionID)
        case finishing
        case paused
        case done
    }

    package let offer: FileOffer
    let writer: FileWriter
    package var phase = Phase.queued
    /// Whether the part is open and hashed.
    var isOpen = false
    /// The bytes that have been passed to the writer, those of earlier connections among them.
    package var count = 0
    /// The bytes that the writer has not written yet.
    package var waiting = 0
    /// Whether the connection is not read.
    var isHeld = false
    var answer = FileOpening()
    /// Why there was no progress the last time.
    var reason: String?
    /// Calls when a connection has been silent, or when a pause is over.
    package let timer: LoopTimer
    private var backoff = Backoff()
    private var reported = DispatchTime(uptimeNanoseconds: 0)
    private var reportedCount = 0
    private(set) var rate: Int?

    package init(_ offer: FileOffer, writer: FileWriter, timer: LoopTimer) {
        self.offer = offer
        self.writer = writer
        self.timer = timer
    }

    /// Whether the transfer uses a place among those that go on at a time.
    package var isActive: Bool {
        switch phase {
        case .queued, .paused, .done: false
        case .opening, .dialling, .asking, .receiving, .finishing: true
        }
    }

    var connection: ConnectionID? {
        switch phase {
        case .asking(let id), .receiving(let id): id
        default: nil
        }
    }

    /// The bytes that are on disk, or nearly.
    var written: Int { count - waiting }

    var transfer: FileTransfer {
        switch phase {
        case .receiving, .finishing: offer.transfer(.receiving, done: written, rate: rate)
        default: offer.transfer(.waiting, done: written, reason: reason)
        }
    }

    /// Ends the connection's part of the state, and arms the timer for the next attempt.
    func pause(for reason: String) {
        phase = .paused
        self.reason = reason
        isHeld = false
        answer = FileOpening()
        rate = nil
        var random = SystemRandomNumberGenerator()
        let now = Int64(DispatchTime.now().uptimeNanoseconds)
        let wait = backoff.next(
            isWanted: true,
            at: Moment(nanoseconds: now),
            using: &random
        )
        timer.arm(after: .nanoseconds(wait.nanoseconds))
    }

    /// Bytes have come: the next failure is a first one.
    func progressed() { backoff = Backoff() }

    /// Whether it is time to report the progress; counts the rate since the last report.
    func isReportDue() -> Bool {
        let now = DispatchTime.now()
        let nanoseconds = now.uptimeNanoseconds - reported.uptimeNanoseconds
        guard nanoseconds >= FileLimits.progressNanoseconds else { return false }
        let more = max(0, written - reportedCount)
        let isFirst = reported.uptimeNanoseconds == 0
        rate = isFirst ? nil : Int(Double(more) / (Double(nanoseconds) / 1e9))
        (reported, reportedCount) = (now, written)
        return true
    }
}
