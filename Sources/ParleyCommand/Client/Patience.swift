import NIOCore
import ParleyAPI
import Synchronization

/// How long a command waits for a silent node.
///
/// The time starts again with everything that the node sends. So a long response may take its time,
/// but a node that hangs is noticed.
struct Patience: Sendable {
    /// The longest silence before the response begins.
    var first: TimeAmount
    /// The longest silence within the response.
    var next: TimeAmount
    /// Since when the node owes something; nil while it owes nothing.
    var since: @Sendable () -> NIODeadline? = { .uptimeNanoseconds(0) }

    /// The seconds to wait unless `--timeout` is given.
    static let usual = 10.0
    /// The longest silence of a stream, in which the node sends a comment every 15 seconds.
    private static let ofStreams = TimeAmount.seconds(45)

    /// Waits `seconds` before the response and within it.
    init(seconds: Double) {
        first = .nanoseconds(Int64(seconds * 1e9))
        next = first
    }

    /// The patience for a stream of events, which begins at once and may pause between two
    /// comments.
    var forStream: Patience {
        var patience = self
        patience.next = max(first, Self.ofStreams)
        return patience
    }

    /// The patience for an answer after `seconds`, with the usual patience in addition.
    func waiting(_ seconds: Double) -> Patience {
        seconds > 0 ? Patience(seconds: seconds + Self.usual) : self
    }
}

/// Closes a connection to a node that is silent for longer than the patience allows.
final class SilenceHandler: ChannelInboundHandler, Sendable {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private struct State {
        var heard = NIODeadline.now()
        var hasBegun = false
        var waited: TimeAmount?
        var check: Scheduled<Void>?
    }

    private let patience: Patience
    private let state = Mutex(State())

    init(_ patience: Patience) {
        self.patience = patience
    }

    /// How long the node was silent before the connection was closed; nil if it was not closed.
    var waited: TimeAmount? { state.withLock { $0.waited } }

    func handlerAdded(context: ChannelHandlerContext) {
        state.withLock { $0.heard = .now() }
        check(context.channel)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        state.withLock { $0.check.take() }?.cancel()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        state.withLock {
            $0.heard = .now()
            $0.hasBegun = true
        }
        context.fireChannelRead(data)
    }

    /// Closes the channel if the silence has lasted long enough, and comes back later otherwise.
    private func check(_ channel: any Channel) {
        let now = NIODeadline.now()
        let (limit, heard) = state.withLock {
            ($0.hasBegun ? patience.next : patience.first, $0.heard)
        }
        let start = patience.since().map { max($0, heard) } ?? now
        guard start + limit > now else {
            state.withLock { $0.waited = limit }
            return channel.close(promise: nil)
        }
        let scheduled = channel.eventLoop.scheduleTask(deadline: start + limit) {
            self.check(channel)
        }
        state.withLock { $0.check = scheduled }
    }
}
