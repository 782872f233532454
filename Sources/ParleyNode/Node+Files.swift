public import Foundation
import ParleyCore
import ParleyKeys

/// Files of any size, which go from device to device.
///
/// A message offers the file, and each reader decides. Whoever accepts fetches the bytes from the
/// author's device; until all are here, the transfer goes on after each cut and each restart.
extension Node {
    // MARK: Offering

    /// Offers a file of this machine to a conversation; the node keeps a copy of it.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - type: The media type; may be empty.
    ///   - conversation: The name of the conversation on this node.
    /// - Returns: the message that offers the file. To take it back ends the offer.
    /// - Throws: `badDraft` for a file that cannot be read, `noSpace`, `tooManyFiles`, and what
    ///   `send` throws.
    public func offerFile(
        at file: URL,
        type: String = "",
        to conversation: String
    ) async throws(NodeError) -> SentMessage {
        let reader = FileReader(path: file.path)
        let size: Int
        do throws(FileFailure) { size = try await reader.open() } catch {
            throw .badDraft("\(file.path) cannot be read: \(error)")
        }
        let upload = try await upload(
            of: size,
            named: file.lastPathComponent,
            type: type,
            to: conversation
        )
        do { try await upload.write(reader) } catch {
            await cancel(upload)
            throw error as? NodeError ?? .badDraft("\(file.path) cannot be read: \(error)")
        }
        return try await offer(upload)
    }

    /// Begins to take over a file in parts.
    ///
    /// - Parameters:
    ///   - bytes: The length of the file.
    ///   - name: The name of the file for people.
    ///   - type: The media type; may be empty.
    ///   - conversation: The name of the conversation on this node.
    /// - Returns: the upload, to which the bytes are written.
    /// - Throws: `badDraft`, `noSpace`, `tooManyFiles`, `unknownConversation`, `readOnly`,
    ///   `stopped`.
    public func upload(
        of bytes: Int,
        named name: String,
        type: String = "",
        to conversation: String
    ) async throws(NodeError) -> FileUpload {
        try await upload(of: bytes, named: name, type: type, to: conversation, by: nil)
    }

    /// The same for a guest of that participant, or for the owner of the node.
    package func upload(
        of bytes: Int,
        named name: String,
        type: String,
        to conversation: String,
        by guest: UUID?
    ) async throws(NodeError) -> FileUpload {
        guard bytes > 0, bytes <= Int(Limits.fileBytes) else {
            throw .badDraft("the file is empty or too long")
        }
        guard type.utf8.count <= Limits.mediaTypeBytes else {
            throw .badDraft("the media type is too long")
        }
        guard try reader.machine.conversation(named: conversation).role == .writer else {
            throw .readOnly(conversation: conversation, isRelay: settings.isRelay)
        }
        let files = try files
        let guest = try reader.guest(guest, in: conversation)
        let (place, writer) = try await files.beginUpload(of: bytes, by: guest)
        return FileUpload(
            to: conversation,
            named: name,
            type: type,
            bytes: bytes,
            guest: guest,
            writer: writer,
            place: place
        )
    }

    /// Offers a file that was handed over completely.
    ///
    /// - Throws: `badDraft` if bytes are missing, `storeFull`, `storeFailed`, and what `send`
    ///   throws; then the upload has ended, too.
    public func offer(_ upload: FileUpload) async throws(NodeError) -> SentMessage {
        do throws(NodeError) {
            let sent = try await offerNow(upload)
            await shellFiles?.endUpload(upload.place)
            return sent
        } catch {
            await cancel(upload)
            throw error
        }
    }

    /// Ends an upload, and throws away what was handed over.
    public func cancel(_ upload: FileUpload) async {
        await upload.writer.discard()
        await shellFiles?.endUpload(upload.place)
    }

    private func offerNow(_ upload: FileUpload) async throws(NodeError) -> SentMessage {
        let files = try files
        let conversation = try reader.machine.conversation(named: upload.conversation)
        let author = upload.guest ?? conversation.keys.ownParticipant
        let session = SessionID(SessionID().core.owned(by: author))
        let hash = try await upload.finish(at: files.folder.path(of: session))
        let info = FileInfo(
            name: upload.name,
            type: upload.type,
            bytes: upload.bytes,
            sha256: hash.hex,
            port: await (try running()).listeningPort
        )
        guard let offer = try reader.offer(info, session, in: conversation) else {
            throw .readOnly(conversation: upload.conversation)
        }
        // Whoever hears of the message may ask at once.
        await files.offered(offer)
        do throws(NodeError) {
            let draft = Draft(offering: info, in: session)
            guard let guest = upload.guest else {
                return try await send(draft, to: upload.conversation)
            }
            return try await send(draft, to: upload.conversation, as: guest.uuid)
        } catch {
            files.shown(session, file: nil)
            throw error
        }
    }

    // MARK: Deciding

    /// Fetches an offered file from the device of its author, now or as soon as it is reachable.
    ///
    /// - Throws: `noOffer` if the message of the session offers none, `noSpace`, `tooManyFiles`,
    ///   `unknownSession`, `stopped`.
    public func acceptFile(
        of session: SessionID,
        in conversation: String
    ) async throws(NodeError) -> FileTransfer {
        try await acceptFile(of: session, in: conversation, for: nil)
    }

    /// The same for a guest of that participant, or for the owner of the node.
    package func acceptFile(
        of session: SessionID,
        in conversation: String,
        for guest: UUID?
    ) async throws(NodeError) -> FileTransfer {
        let guest = try reader.guest(guest, in: conversation)
        let offer = try await offer(of: session, in: conversation)
        return try await files.accept(offer, for: guest)
    }

    /// Ends the transfer of an offered file, of which nothing stays here.
    ///
    /// - Throws: `noOffer` if the message of the session offers none, `unknownSession`, `stopped`.
    public func declineFile(
        of session: SessionID,
        in conversation: String
    ) async throws(NodeError) -> FileTransfer {
        let offer = try await offer(of: session, in: conversation)
        return try await files.decline(offer)
    }

    // MARK: Reading

    /// The files that this node offers, has accepted or has declined.
    ///
    /// - Throws: `stopped`.
    public func fileTransfers() async throws(NodeError) -> [FileTransfer] {
        await (try files).transfers
    }

    /// The state of an offered file.
    ///
    /// - Throws: as `acceptFile`.
    public func fileTransfer(
        of session: SessionID,
        in conversation: String
    ) async throws(NodeError) -> FileTransfer {
        let offer = try await offer(of: session, in: conversation)
        return await (try files).transfer(offer)
    }

    /// The file itself, which nobody may change; nil unless all of it is here.
    ///
    /// - Throws: as `acceptFile`.
    public func fileURL(
        of session: SessionID,
        in conversation: String
    ) async throws(NodeError) -> URL? {
        let transfer = try await fileTransfer(of: session, in: conversation)
        guard transfer.state == .here else { return nil }
        return URL(filePath: try files.folder.path(of: session))
    }

    /// Whether the disk has space for so many more bytes.
    ///
    /// - Throws: `noSpace`, `tooManyFiles`, `stopped`.
    package func checkSpace(for bytes: Int) async throws(NodeError) {
        try await files.checkSpace(for: bytes, by: nil)
    }

    /// Whether a guest may send a file of so many bytes, and the disk has space for it.
    ///
    /// - Throws: `noSpace`, `tooManyFiles`, `unknownGuest`, `stopped`; `badDraft` if the file is
    ///   too long or one too many for a guest.
    package func checkSpace(
        for bytes: Int,
        by guest: UUID,
        in conversation: String
    ) async throws(NodeError) {
        guard let guest = try reader.guest(guest, in: conversation) else { return }
        try await files.check(bytes, of: guest)
        try await files.checkSpace(for: bytes, by: guest)
    }

    /// A guest has lost the seat: what was under way ends.
    func endUploads(by guest: Guest) async {
        await shellFiles?.endUploads(by: ParticipantID(Bytes16(guest.participant.id)))
    }

    // MARK: Inside

    /// Takes up the files of earlier runs; those without a message are removed.
    func loadFiles() async {
        guard let files = shellFiles else { return }
        var found: [(kind: FileFolder.Kind, bytes: Int, offer: FileOffer)] = []
        for file in await files.folder.open() {
            do throws(NodeError) {
                let detail = try await session(file.session, in: nil)
                // Others may have written there, which says nothing of the file.
                guard detail.ownersMessage != nil else { continue }
                found.append((file.kind, file.bytes, try reader.offer(of: detail)))
            } catch .unknownSession, .noOffer {
                await files.folder.remove(file.session)
            } catch {
                // What cannot be read now may be read after the next start.
            }
        }
        await files.load(found)
    }

    private func offer(
        of session: SessionID,
        in conversation: String
    ) async throws(NodeError) -> FileOffer {
        let detail = try await self.session(session, in: Optional(conversation))
        return try reader.offer(of: detail)
    }

    private var files: FileService {
        get throws(NodeError) { try running().files }
    }
}

extension MessageReader {
    /// The guest of that participant; nil for nobody.
    ///
    /// - Throws: `unknownGuest`, `unknownConversation`.
    fileprivate func guest(
        _ participant: UUID?,
        in conversation: String
    ) throws(NodeError) -> ParticipantID? {
        guard let participant else { return nil }
        let guests = try machine.conversation(named: conversation).origins.seats.guests
        guard let guest = guests.first(where: { $0.author.participant.uuid == participant }) else {
            throw .unknownGuest
        }
        return guest.author.participant
    }

    /// The offer in the message of a session's owner.
    ///
    /// - Throws: `noOffer` if there is none.
    fileprivate func offer(of detail: SessionDetail) throws(NodeError) -> FileOffer {
        let conversation = try machine.conversation(named: detail.conversation)
        guard let message = detail.ownersMessage, let file = message.content?.file,
            let device = try? DeviceID(parsing: message.sender.host ?? message.sender.device),
            let offer = offer(file, message.session, in: conversation, by: device)
        else { throw .noOffer(detail.session.description) }
        return offer
    }

    /// The offer of a message; nil if this node cannot read the conversation.
    fileprivate func offer(
        _ file: FileInfo,
        _ session: SessionID,
        in conversation: ParleyCore.Conversation,
        by author: DeviceID? = nil
    ) -> FileOffer? {
        conversation.tag(of: session.core, using: machine.crypto).map { tag in
            FileOffer(
                session: session,
                file: file,
                conversation: conversation.number,
                conversationName: conversation.record.name,
                tag: tag,
                author: author ?? machine.device,
                isMine: author == nil || author == machine.device
            )
        }
    }
}

extension Draft {
    /// The message that offers a file.
    fileprivate init(offering file: FileInfo, in session: SessionID) {
        var content = MessageContent()
        content.app = MessageContent.attachmentApp
        content.file = file
        var layout = ContentLayout()
        layout.caption = file.name
        content.layout = layout
        self.init(session: session, content: content)
        isOwn = true
        tellsDelivery = true
    }
}
