package import NIOCore

/// Closes a connection whose other end has stopped reading for some time although data waits.
package final class StalledWrites: ChannelInboundHandler, RemovableChannelHandler {
    package typealias InboundIn = NIOAny

    private let patience: TimeAmount
    private var end: Scheduled<Void>?

    /// The time for which the buffers to the other end may stay full.
    package static let patience = TimeAmount.seconds(20)

    /// A handler that waits for `patience`.
    package init(patience: TimeAmount = StalledWrites.patience) {
        self.patience = patience
    }

    package func channelWritabilityChanged(context: ChannelHandlerContext) {
        end?.cancel()
        end = nil
        if !context.channel.isWritable {
            let channel = context.channel
            end = context.eventLoop.scheduleTask(in: patience) {
                channel.close(promise: nil)
            }
        }
        context.fireChannelWritabilityChanged()
    }

    package func handlerRemoved(context: ChannelHandlerContext) {
        end?.cancel()
        end = nil
    }
}
