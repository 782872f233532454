import Foundation
import Hummingbird
import NIOCore
import ParleyAPI
import ParleyNode

/// The routes of files of any size.
struct FileRoutes: Sendable {
    let node: any MessagingNode

    /// The limit of the body of a request without a file, in bytes.
    private static let bodyBytesMax = 4 << 10
    /// The bytes that are written to the disk at a time.
    private static let partBytes = 1 << 20

    /// Adds the routes that guests have, too: they send files, and have the host fetch those of
    /// others.
    func add(to group: RouterGroup<BasicRequestContext>) {
        group.post("files/check") { request, _ in
            let wanted = try await request.document(
                SpaceRequest.self,
                atMost: Self.bodyBytesMax
            )
            try await node.checkSpace(for: max(0, wanted.bytes))
            return Response(status: .noContent)
        }
        group.post("conversations/{name}/files") { request, context in
            let sent = try await offer(request, in: try context.part("name"))
            return try JSON.response(sent, status: 201)
        }
        group.put("conversations/{name}/files/{session}") { _, context in
            let (session, name) = try place(context)
            return try JSON.response(try await node.acceptFile(of: session, in: name))
        }
    }

    /// Adds all routes.
    func add(to group: RouterGroup<BasicRequestContext>, ofOwner node: Node) {
        add(to: group)
        group.get("files") { _, _ in try JSON.response(try await node.fileTransfers()) }
        group.get("conversations/{name}/files/{session}") { _, context in
            let (session, name) = try place(context)
            return try JSON.response(try await node.fileTransfer(of: session, in: name))
        }
        group.delete("conversations/{name}/files/{session}") { _, context in
            let (session, name) = try place(context)
            return try JSON.response(try await node.declineFile(of: session, in: name))
        }
        group.get("conversations/{name}/files/{session}/content") { request, context in
            let (session, name) = try place(context)
            let transfer = try await node.fileTransfer(of: session, in: name)
            guard let file = try await node.fileURL(of: session, in: name) else {
                throw Problem(
                    .notYet,
                    "The file is not here yet.",
                    hint: "See how far it is: parley files \(name)"
                )
            }
            return try await FileResponse.response(
                file,
                named: transfer.file.name.shownName,
                to: request
            )
        }
    }

    /// Takes over the body of a request as a file.
    private func offer(_ request: Request, in conversation: String) async throws -> SentMessage {
        guard let length = request.headers[.contentLength].flatMap({ Int($0) }) else {
            throw Problem.badInput("The request does not say how long the file is.")
        }
        let query = request.uri.queryParameters
        let upload = try await node.upload(
            of: length,
            named: query["name"].map(String.init) ?? "",
            type: query["type"].map(String.init) ?? "",
            to: conversation
        )
        do {
            var part = ByteBuffer()
            for try await bytes in request.body {
                part.writeImmutableBuffer(bytes)
                guard part.readableBytes >= Self.partBytes else { continue }
                try await upload.write(Data(part.readableBytesView))
                part.clear()
            }
            try await upload.write(Data(part.readableBytesView))
        } catch {
            await node.cancel(upload)
            throw error
        }
        return try await node.offer(upload)
    }

    private func place(_ context: BasicRequestContext) throws -> (SessionID, String) {
        let text = try context.part("session")
        guard let uuid = UUID(uuidString: text) else { throw Problem.notASession(text) }
        return (SessionID(uuid), try context.part("name"))
    }
}
