import NIOCore
import NIOEmbedded
import ParleyWeb
import Testing

/// A connection whose other end does not read is closed.
@Suite struct StalledWritesTests {
    private func channel() throws -> EmbeddedChannel {
        let channel = EmbeddedChannel(handler: StalledWrites())
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        return channel
    }

    private func set(_ channel: EmbeddedChannel, isWritable: Bool) {
        channel.isWritable = isWritable
        channel.pipeline.fireChannelWritabilityChanged()
    }

    @Test func whoStandsStillIsCutOff() throws {
        let channel = try channel()
        set(channel, isWritable: false)
        channel.embeddedEventLoop.advanceTime(by: .seconds(19))
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(!channel.isActive)
    }

    @Test func whoReadsNowAndThenStays() throws {
        let channel = try channel()
        for _ in 0..<5 {
            set(channel, isWritable: false)
            channel.embeddedEventLoop.advanceTime(by: .seconds(19))
            set(channel, isWritable: true)
        }
        channel.embeddedEventLoop.advanceTime(by: .seconds(60))
        #expect(channel.isActive)
        #expect(try channel.finish().isClean)
    }
}
