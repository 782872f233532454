import CBrokerLoad
import Testing

/// The codecs of the load generator, with frames as the servers send them.
@Suite struct CodecTests {
    /// The bytes of one frame and what they mean.
    struct Frame: Sendable, CustomStringConvertible {
        let server: server_kind
        let text: String
        let kind: event_kind
        var payload: String?

        init(_ server: server_kind, _ text: String, _ kind: event_kind, _ payload: String? = nil) {
            self.server = server
            self.text = text
            self.kind = kind
            self.payload = payload
        }

        var description: String { String(reflecting: text) }
    }

    static let frames = [
        Frame(SERVER_NATS, "MSG topic.000001 1 3\r\nabc\r\n", EVENT_DELIVERY, "abc"),
        Frame(SERVER_NATS, "MSG t 1 $JS.ACK.bench.c.1.5.5.17.0 2\r\nab\r\n", EVENT_DELIVERY, "ab"),
        Frame(SERVER_NATS, "MSG t 1 0\r\n\r\n", EVENT_DELIVERY, ""),
        Frame(SERVER_NATS, "MSG _INBOX.stored 3 9\r\n{\"seq\":1}\r\n", EVENT_STORED, "{\"seq\":1}"),
        Frame(SERVER_NATS, "MSG _INBOX.stored 3 11\r\n{\"error\":{}}\r\n", EVENT_REFUSED),
        Frame(SERVER_NATS, "MSG _INBOX.request.0 2 2\r\n{}\r\n", EVENT_READY, "{}"),
        Frame(SERVER_NATS, "PONG\r\n", EVENT_READY),
        Frame(SERVER_NATS, "PING\r\n", EVENT_PINGED),
        Frame(SERVER_NATS, "INFO {}\r\n", EVENT_OTHER),
        Frame(SERVER_NATS, "-ERR 'Slow Consumer'\r\n", EVENT_REFUSED),
        Frame(SERVER_NATS, "MSG t 1 x\r\n", EVENT_REFUSED),
        Frame(SERVER_REDIS, "*3\r\n$7\r\nmessage\r\n$1\r\nt\r\n$2\r\nab\r\n", EVENT_DELIVERY, "ab"),
        Frame(SERVER_REDIS, "*3\r\n$9\r\nsubscribe\r\n$1\r\nt\r\n:1\r\n", EVENT_OTHER),
        Frame(SERVER_REDIS, "*2\r\n$4\r\npong\r\n$0\r\n\r\n", EVENT_READY),
        Frame(SERVER_REDIS, "+PONG\r\n", EVENT_READY),
        Frame(SERVER_REDIS, "+OK\r\n", EVENT_STORED),
        Frame(SERVER_REDIS, ":8\r\n", EVENT_OTHER),
        Frame(SERVER_REDIS, "-ERR unknown command\r\n", EVENT_REFUSED),
        Frame(SERVER_REDIS, "*9\r\n", EVENT_REFUSED),
        Frame(SERVER_MQTT, "\u{30}\u{06}\0\u{01}tabc", EVENT_DELIVERY, "abc"),
        Frame(SERVER_MQTT, "\u{20}\u{02}\0\0", EVENT_OTHER),
        Frame(SERVER_MQTT, "\u{20}\u{02}\0\u{05}", EVENT_REFUSED),
        Frame(SERVER_RELAY, "\0\0\0\u{09}\u{02}\u{01}tab", EVENT_DELIVERY, "ab"),
        Frame(SERVER_RELAY, "\0\0\0\u{06}\u{04}\0", EVENT_READY),
        Frame(SERVER_RELAY, "\0\0\0\u{06}\u{05}\0", EVENT_STORED),
        Frame(SERVER_RELAY, "\0\0\0\u{06}\u{09}\0", EVENT_REFUSED),
        Frame(SERVER_ETCD, "\0\0\u{02}\0\0\0\0\0\u{01}ab", EVENT_READY),
        Frame(SERVER_ETCD, "\0\0\u{02}\0\0\0\0\u{01}\u{01}ab", EVENT_STORED),
        Frame(SERVER_ETCD, "\0\0\0\0\u{01}\0\0\0\u{03}", EVENT_OTHER),
        Frame(SERVER_ETCD, "\0\0\u{02}\u{01}\u{05}\0\0\0\u{03}ab", EVENT_OTHER),
        Frame(SERVER_ETCD, "\0\0\u{04}\u{03}\0\0\0\0\u{03}abcd", EVENT_REFUSED),
        Frame(SERVER_ETCD, "\0\0\u{02}\u{07}\0\0\0\0\0ab", EVENT_REFUSED),
        Frame(SERVER_ETCD, "\u{7f}\0\0\0\0\0\0\0\u{03}", EVENT_REFUSED),
    ]

    @Test(arguments: frames)
    func framesHaveTheirMeaning(_ frame: Frame) throws {
        let found = try next(frame.server, Array(frame.text.utf8) + Array("+O".utf8))
        #expect(found.kind == frame.kind)
        if frame.kind != EVENT_REFUSED { #expect(found.count == frame.text.utf8.count) }
        if let payload = frame.payload { #expect(found.payload == payload) }
    }

    @Test(arguments: frames.filter { $0.kind != EVENT_REFUSED })
    func partsOfFramesAreIncomplete(_ frame: Frame) throws {
        let bytes = Array(frame.text.utf8)
        for count in 1..<bytes.count {
            #expect(try next(frame.server, Array(bytes[..<count])).kind == EVENT_INCOMPLETE)
        }
    }

    @Test func mqttLengthsHaveSeveralBytes() throws {
        var out = buffer()
        defer { buffer_free(&out) }
        let codec = try #require(codec_of(SERVER_MQTT)).pointee
        let payload = [UInt8](repeating: 7, count: 300)
        codec.publish(&out, "topic.000001", payload, payload.count)
        #expect(written(out).prefix(3) == [0x30, 0xba, 0x02])
        let found = try next(SERVER_MQTT, written(out))
        #expect(found.kind == EVENT_DELIVERY && found.count == 317)
        #expect(try next(SERVER_MQTT, [0x30, 0xff, 0xff, 0xff, 0xff, 1]).kind == EVENT_REFUSED)
    }

    @Test func publishingIsAsTheServersReadIt() throws {
        #expect(
            try published(SERVER_NATS) == "PUB t 2\r\nab\r\nPUB t _INBOX.stored 2\r\nab\r\n"
        )
        #expect(
            try published(SERVER_REDIS)
                == "*3\r\n$7\r\nPUBLISH\r\n$1\r\nt\r\n$2\r\nab\r\n"
                + "*3\r\n$3\r\nSET\r\n$1\r\nt\r\n$2\r\nab\r\n"
        )
        #expect(
            try published(SERVER_RELAY) == "\0\0\0\u{09}\u{02}\u{01}tab\0\0\0\u{09}\u{03}\u{01}tab"
        )
    }

    @Test func aPutIsAStreamOfHeadersAndOneMessage() throws {
        var out = buffer()
        defer { buffer_free(&out) }
        let codec = try #require(codec_of(SERVER_ETCD)).pointee
        codec.store(&out, "topic.000123", [UInt8](repeating: 7, count: 300), 300)
        let bytes = written(out)
        let headers = 9 + Int(bytes[2])
        #expect(bytes[3...8] == [1, 4, 0, 0, 0, 249])
        let data = bytes[headers...]
        #expect(data.prefix(9) == [0, 1, 66, 0, 1, 0, 0, 0, 249])
        #expect(data.dropFirst(9).prefix(7) == [0, 0, 0, 1, 61, 0x0a, 12])
        #expect(data.dropFirst(28).prefix(3) == [0x12, 0xac, 0x02])
        #expect(data.count == 9 + 5 + 14 + 303)
    }

    // MARK: Helpers

    private func next(
        _ server: server_kind,
        _ bytes: [UInt8]
    ) throws -> (kind: event_kind, count: Int, payload: String) {
        let codec = try #require(codec_of(server)).pointee
        return bytes.withUnsafeBufferPointer { buffer in
            let event = codec.next(buffer.baseAddress, buffer.count)
            let payload = UnsafeBufferPointer(start: event.payload, count: event.payload_count)
            return (event.kind, event.count, String(decoding: payload, as: UTF8.self))
        }
    }

    /// The bytes by which the codec publishes `ab` on `t`, and stores it.
    private func published(_ server: server_kind) throws -> String {
        var out = buffer()
        defer { buffer_free(&out) }
        let codec = try #require(codec_of(server)).pointee
        codec.publish(&out, "t", Array("ab".utf8), 2)
        codec.store(&out, "t", Array("ab".utf8), 2)
        return String(decoding: written(out), as: UTF8.self)
    }

    private func written(_ out: buffer) -> [UInt8] {
        Array(UnsafeBufferPointer(start: out.bytes, count: out.count))
    }
}
