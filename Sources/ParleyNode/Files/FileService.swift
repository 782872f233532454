import Dispatch
import ParleyCore
import ParleyLoop
import ParleyTransport

/// The offered files of a node: present ones, arriving ones, and the peers that fetch them.
///
/// Every call is on the node's queue; disks are read and written on queues of their own.
actor FileService {
    nonisolated let executor: QueueExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    /// The purpose of a connection for a file.
    enum Use {
        /// A peer asks for a file, or gets it.
        case serving(FileServing)
        /// This node asks for a file, or gets it.
        case fetching(FileDownload)
        /// The last bytes are on their way.
        case leaving
    }

    nonisolated let folder: FileFolder
    let limits: FileLimits
    /// The node around the service, and its sockets; nil before the start and after the end.
    var host: (any FileHost)?
    var transport: Transport?
    /// Whether the files of earlier runs are known.
    private(set) var isLoaded = false
    private(set) var table = FileTable()
    private(set) var downloads = FileDownloads()
    /// The connections for files, with the purpose of each.
    var connections: [ConnectionID: Use] = [:]
    private var uploads: FileUploads
    /// The sessions whose files are being removed, in whose place nothing begins meanwhile.
    private var closing: Set<SessionID> = []

    init(on executor: QueueExecutor, path: String, limits: FileLimits) {
        self.executor = executor
        self.limits = limits
        folder = FileFolder(path: path)
        uploads = FileUploads(limits: limits)
    }

    // MARK: Life

    /// Begins to use sockets.
    nonisolated func attach(_ host: any FileHost, _ transport: Transport) {
        assumeIsolated { service in
            service.host = host
            service.transport = transport
        }
    }

    /// Takes up the files of earlier runs: those that were accepted go on.
    func load(_ found: [(kind: FileFolder.Kind, bytes: Int, offer: FileOffer)]) {
        isLoaded = true
        for (kind, bytes, offer) in found where table.offers[offer.session] == nil {
            switch kind {
            case .whole: if bytes == offer.file.bytes { table.keep(offer, .here) }
            case .declined: table.keep(offer, .declined)
            case .part: if !offer.isMine { add(offer) }
            }
        }
        startNext()
    }

    /// Ends all transfers; the beginnings of files stay.
    nonisolated func stop() {
        assumeIsolated { service in
            service.downloads.stop()
            service.connections = [:]
            service.host = nil
            service.transport = nil
        }
    }

    /// A callback for calls on the node's queue, which does nothing once the service is gone.
    nonisolated func here<Value: Sendable>(
        _ body: @escaping @Sendable (isolated FileService, Value) -> Void
    ) -> @Sendable (Value) -> Void {
        { [weak self, executor] value in
            executor.queue.async { [weak self] in self?.assumeIsolated { body($0, value) } }
        }
    }

    // MARK: Reading functions

    /// All files that are here or were decided about.
    var transfers: [FileTransfer] {
        table.inOrder.map(transfer)
    }

    /// The state of an offered file.
    func transfer(_ offer: FileOffer) -> FileTransfer {
        downloads.of(offer.session)?.transfer ?? table.transfer(offer)
    }

    /// Whether something of the file of a session is here.
    nonisolated func concerns(_ tag: SessionTag) -> Bool {
        assumeIsolated { $0.table.tags.contains(tag) }
    }

    // MARK: Deciding

    /// Fetches a file, unless it is here or on its way.
    ///
    /// - Throws: `noSpace`, `tooManyFiles`, `badDraft` if it is too long for `guest`.
    func accept(
        _ offer: FileOffer,
        for guest: ParticipantID?
    ) async throws(NodeError) -> FileTransfer {
        guard !offer.isMine, !table.isHere(offer.session) else { return transfer(offer) }
        try await checkSpace(for: offer.file.bytes, by: guest)
        // Somebody else may have decided meanwhile.
        guard downloads.of(offer.session) == nil, !table.isHere(offer.session),
            !closing.contains(offer.session)
        else { return transfer(offer) }
        table.forget(offer.session)
        await folder.remove(markOf: offer.session)
        if downloads.of(offer.session) == nil, !closing.contains(offer.session) { add(offer) }
        startNext()
        let transfer = transfer(offer)
        host?.changed(transfer)
        return transfer
    }

    /// Ends the transfer of a file, if there is one, and throws away what is here of it.
    func decline(_ offer: FileOffer) async -> FileTransfer {
        guard !offer.isMine else { return transfer(offer) }
        let writer = end(offer.session)?.writer
        table.keep(offer, .declined)
        closing.insert(offer.session)
        await writer?.close()
        await folder.decline(offer.session)
        closing.remove(offer.session)
        startNext()
        let transfer = transfer(offer)
        host?.changed(transfer)
        return transfer
    }

    /// Whether there is space for a file with so many bytes, of a guest or of the owner.
    ///
    /// - Throws: `noSpace`, `tooManyFiles`, `badDraft` if it is too long for a guest.
    func checkSpace(for bytes: Int, by guest: ParticipantID?) async throws(NodeError) {
        if guest != nil { try limits.checkLength(ofGuests: bytes) }
        guard table.offers.count < limits.files else { throw .tooManyFiles(limit: limits.files) }
        // A disk that does not say what it has is tried.
        guard let free = await folder.freeBytes() else { return }
        let reserve = guest == nil ? limits.reserve : limits.guestReserve
        let needed = bytes + uploads.bytes + downloads.missing + reserve
        guard needed <= free else { throw .noSpace(missing: needed - free) }
    }

    // MARK: Offering

    /// Whether a guest may offer another file, of that length.
    ///
    /// - Throws: `badDraft`.
    func check(_ bytes: Int, of guest: ParticipantID) throws(NodeError) {
        try uploads.check(bytes, of: guest, offers: table.count(by: guest))
    }

    /// Promises space to a file that somebody hands over.
    ///
    /// - Throws: `noSpace`, `tooManyFiles`, `storeFull`, `storeFailed`, `badDraft` if it is too
    ///   long or one too many for `guest`.
    func beginUpload(
        of bytes: Int,
        by guest: ParticipantID?
    ) async throws(NodeError) -> (FileUploads.Place, FileWriter) {
        let writer = FileWriter(path: folder.draftPath())
        let offers = guest.map(table.count) ?? 0
        let place = try uploads.add(bytes, by: guest, offers: offers, to: writer)
        do throws(NodeError) {
            // The promise is among the bytes that are counted.
            try await checkSpace(for: 0, by: guest)
            do throws(FileFailure) { _ = try await writer.open() } catch { throw NodeError(error) }
        } catch {
            uploads.remove(place)
            throw error
        }
        return (place, writer)
    }

    func endUpload(_ place: FileUploads.Place) { uploads.remove(place) }

    /// Ends the uploads of a guest who has lost the seat.
    func endUploads(by guest: ParticipantID) { uploads.remove(by: guest) }

    /// This node offers a file that is in the directory.
    func offered(_ offer: FileOffer) { table.keep(offer, .here) }

    // MARK: Messages

    /// A session of `offers` shows another message, which offers `file`, if anything.
    nonisolated func shown(_ session: SessionID, file: FileInfo?) {
        assumeIsolated { service in
            guard let offer = service.table.offers[session], offer.file != file else { return }
            service.lose(offer)
        }
    }

    /// This node has left a conversation.
    nonisolated func left(_ conversation: UInt32) {
        assumeIsolated { service in
            for offer in service.table.inOrder where offer.conversation == conversation {
                service.lose(offer)
            }
        }
    }

    /// The message of an offer is gone, and with it the file.
    private func lose(_ offer: FileOffer) {
        let writer = end(offer.session)?.writer
        table.forget(offer.session)
        for serving in servings where serving.file?.session == offer.session {
            drop(serving)
        }
        closing.insert(offer.session)
        let gone = here { (service: isolated FileService, _: Void) in
            service.closing.remove(offer.session)
        }
        folder.remove(offer.session, after: writer, gone)
        startNext()
    }

    // MARK: The table

    private func add(_ offer: FileOffer) {
        let session = offer.session
        let woke = here { (service: isolated FileService, _: Void) in service.woke(session) }
        table.add(offer)
        downloads.add(
            FileDownload(
                offer,
                writer: FileWriter(path: folder.path(of: session, .part)),
                timer: LoopTimer(on: executor) { woke(()) }
            )
        )
    }

    /// Ends a download without a word.
    @discardableResult
    private func end(_ session: SessionID) -> FileDownload? {
        guard let download = downloads.remove(session) else { return nil }
        leave(download)
        download.phase = .done
        download.timer.cancel()
        return download
    }

    /// A download has come to its end: the file is here, or `reason` says why not.
    func ended(_ download: FileDownload, _ reason: String? = nil) {
        end(download.offer.session)
        table.keep(download.offer, reason == nil ? .here : .failed, reason: reason)
        host?.changed(transfer(download.offer))
        startNext()
    }
}
