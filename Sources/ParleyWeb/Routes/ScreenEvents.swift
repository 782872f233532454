import Hummingbird
import MessagesHost
import NIOCore
import ParleyAPI

/// The screen of an app as server-sent events: the present one, and then one for every change.
struct ScreenEvents: Sendable {
    let apps: AppHost
    let panel: AppPanel

    /// The interval of the comments that keep the connection alive.
    private static let heartbeat = Duration.seconds(15)

    func response() -> Response {
        Response(
            status: .ok,
            headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
            body: ResponseBody { writer in
                try await follow(&writer)
                try await writer.finish(nil)
            }
        )
    }

    private func follow(_ writer: inout any ResponseBodyWriter) async throws {
        let changes = await apps.changes(in: panel.conversation)
        var last: ScreenDocument?
        try await Heartbeat.follow(changes, every: Self.heartbeat) { isChange in
            guard isChange else {
                try await writer.write(ByteBuffer(string: ": still here\n\n"))
                return true
            }
            let screen = try await ScreenDocument(panel, apps)
            guard !screen.isSame(as: last) else { return true }
            last = screen
            var buffer = ByteBuffer(string: "event: screen\ndata: ")
            buffer.writeBytes(try JSON.encode(screen))
            buffer.writeString("\n\n")
            try await writer.write(buffer)
            return true
        }
    }
}
