import Foundation
import Hummingbird
import Messages
import MessagesHost
import NIOCore
import ParleyAPI
import ParleyNode

/// The pictures and files of peers and apps that a page shows.
///
/// Pictures are sent with the type that their bytes have, and files for download only.
struct PictureRoutes: Sendable {
    let node: any MessagingNode
    let apps: AppHost
    let feed: PageFeed

    func add(to router: Router<BasicRequestContext>) {
        router.get("pictures/message/{name}/{session}/{message}") { _, context in
            Self.picture(try await messageBytes(context), isConstant: true)
        }
        router.get("pictures/view/{name}/{app}") { request, context in
            let node = request.uri.queryParameters["node"].map(String.init) ?? ""
            return Self.picture(
                try await viewBytes(node, context.part("app"), context.part("name")),
                isConstant: request.uri.queryParameters["v"] != nil
            )
        }
        router.get("pictures/live/{name}/{message}") { request, context in
            let node = request.uri.queryParameters["node"].map(String.init) ?? ""
            let message = MessageID(try context.part("message"))
            return Self.picture(
                try await liveBytes(node, message, context.part("name")),
                isConstant: request.uri.queryParameters["v"] != nil
            )
        }
        router.get("pictures/draft/{name}/{app}") { _, context in
            Self.picture(
                await draftBytes(try context.part("app"), try context.part("name")),
                isConstant: false
            )
        }
        router.get("pictures/sticker/{name}/{app}/{sticker}") { _, context in
            let sticker = try context.part("sticker")
            return Self.picture(
                await stickerBytes(sticker, try context.part("app"), try context.part("name")),
                isConstant: true
            )
        }
        router.get("files/{name}/{session}/{message}") { request, context in
            try await file(request, context)
        }
    }

    // MARK: Responses

    private static func picture(_ bytes: Data?, isConstant: Bool) -> Response {
        // Bytes that are no picture are not shown. A picture that a later move has just replaced is
        // no failure, so the browser's console must not report an error.
        guard let bytes, let image = try? EncodedImage(bytes) else {
            return Response(status: .noContent, headers: [.cacheControl: "no-store"])
        }
        return Response(
            status: .ok,
            headers: [
                .contentType: image.format.mediaType,
                .contentSecurityPolicy: FileResponse.policy,
                .cacheControl: isConstant ? "private, max-age=31536000, immutable" : "no-store",
            ],
            body: .init(byteBuffer: ByteBuffer(bytes: bytes))
        )
    }

    private func file(
        _ request: Request,
        _ context: BasicRequestContext
    ) async throws -> Response {
        let (conversation, session, message) = try place(context)
        let detail = try await node.session(session, in: conversation)
        let known = ([detail.shown] + detail.others).first { $0.id == message }
        let content = known?.content
        if let offered = content?.file {
            guard let file = try await node.fileURL(of: session, in: conversation) else {
                throw Self.missing
            }
            return try await FileResponse.response(
                file,
                named: offered.name.shownName,
                to: request
            )
        }
        guard let bytes = try await bytes(context) else { throw Self.missing }
        let isFile = content?.app == OutgoingMessage.attachmentApp
        let name = (isFile ? content?.layout?.caption?.shownName : nil) ?? "file"
        return Response(
            status: .ok,
            headers: FileResponse.headers(named: name),
            body: .init(byteBuffer: ByteBuffer(bytes: bytes))
        )
    }

    private static var missing: Problem {
        Problem(.unknownMessage, "There is no picture or file, or it has not arrived yet.")
    }

    // MARK: Bytes

    private func place(
        _ context: BasicRequestContext
    ) throws -> (conversation: String, session: SessionID, message: MessageID) {
        guard let session = UUID(uuidString: try context.part("session")),
            let message = MessageID(try context.part("message"))
        else { throw Self.missing }
        return (try context.part("name"), SessionID(session), message)
    }

    /// The picture of a message; nil if it has none, or was replaced meanwhile.
    private func messageBytes(_ context: BasicRequestContext) async throws -> Data? {
        do {
            return try await bytes(context)
        } catch NodeError.unknownMessage, NodeError.unknownSession {
            return nil
        }
    }

    private func bytes(_ context: BasicRequestContext) async throws -> Data? {
        let (conversation, session, message) = try place(context)
        return try await node.pictureBytes(of: message, session: session, in: conversation)
    }

    @MainActor
    private func viewBytes(_ view: String, _ app: String, _ conversation: String) -> Data? {
        Self.bytes(of: apps.knownPanel(app, in: conversation)?.screen, view)
    }

    @MainActor
    private func liveBytes(_ view: String, _ message: MessageID?, _ name: String) -> Data? {
        message.flatMap { Self.bytes(of: feed.live.bubble($0, in: name)?.screen, view) }
    }

    @MainActor
    private static func bytes(of screen: ParleyView.Screen?, _ view: String) -> Data? {
        switch screen?.tree[ParleyView.Identity(view)]?.content {
        case .image(let image): return image.encoded?.data
        case .sticker(let file, _):
            // A sticker whose file is gone is shown as a missing picture.
            return try? LocalFile(file).read(bytesMax: MessageLimits.pictureBytes)
        default: return nil
        }
    }

    @MainActor
    private func stickerBytes(_ sticker: String, _ app: String, _ conversation: String) -> Data? {
        let staged = apps.knownPanel(app, in: conversation)?.stickers ?? []
        return staged.first { $0.id.description == sticker }?.picture
    }

    @MainActor
    private func draftBytes(_ app: String, _ conversation: String) -> Data? {
        let panel = apps.knownPanel(app, in: conversation)
        let layout = panel?.draft?.layout
        let live = layout as? MSMessageLiveLayout
        return (live?.alternateLayout ?? layout as? MSMessageTemplateLayout)?.image?.encoded?.data
    }
}
