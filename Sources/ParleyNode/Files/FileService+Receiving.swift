import ParleyCore
import ParleyLoop
import ParleyTransport

/// Fetching accepted files.
extension FileService {
    // MARK: Beginning

    /// Begins as many transfers as may go on at a time.
    func startNext() {
        while host != nil, let download = downloads.next(within: limits) {
            if download.isOpen { dial(download) } else { open(download) }
        }
    }

    /// The timer of a download has fired: its pause is over, or its connection was silent.
    func woke(_ session: SessionID) {
        guard let download = downloads.of(session) else { return }
        switch download.phase {
        case .paused:
            download.phase = .queued
            startNext()
        case .asking, .receiving: pause(download, "\(name(of: download)) has stopped sending.")
        case .queued, .opening, .dialling, .finishing, .done: break
        }
    }

    /// A device has a link now: its files are fetched at once.
    nonisolated func reached(_ device: DeviceID) {
        assumeIsolated { service in
            for download in service.downloads.inOrder
            where download.phase == .paused && download.offer.author == device {
                download.phase = .queued
            }
            service.startNext()
        }
    }

    /// Devices were blocked or allowed: what is not allowed any more ends at once.
    nonisolated func gated() {
        assumeIsolated { service in
            guard let host = service.host else { return }
            for serving in service.servings where !host.admits(serving.device) {
                service.drop(serving)
            }
            for download in service.downloads.inOrder
            where download.connection != nil && !host.admits(download.offer.author) {
                service.pause(download, service.unreachable(download))
            }
        }
    }

    /// Has the writer of a download do some work, and goes on with its result, unless the download
    /// has ended meanwhile, also if the same file was accepted again.
    private func work<Value: Sendable>(
        _ download: FileDownload,
        _ work: @escaping @Sendable (isolated FileWriter) throws(FileFailure) -> Value,
        then goOn: @escaping @Sendable (isolated FileService, FileDownload, Value) -> Void
    ) {
        let (session, writer) = (download.offer.session, download.writer)
        let done = here { (service: isolated FileService, result: Result<Value, FileFailure>) in
            guard let download = service.downloads.of(session), download.writer === writer else {
                return
            }
            switch result {
            case .success(let value): goOn(service, download, value)
            case .failure(let failure): service.fail(download, failure)
            }
        }
        writer.enqueue { writer in
            done(Result { () throws(FileFailure) in try work(writer) })
        }
    }

    private func open(_ download: FileDownload) {
        download.phase = .opening
        let most = download.offer.file.bytes
        work(download) { writer throws(FileFailure) in
            try writer.open(keeping: most)
        } then: { service, download, count in
            download.isOpen = true
            download.count = count
            count == most ? service.finish(download) : service.dial(download)
        }
    }

    private func dial(_ download: FileDownload) {
        let addresses = host?.addresses(of: download.offer) ?? []
        // What cannot be dialled is no address.
        let endpoints = addresses.compactMap { try? Endpoint(parsing: $0) }
        let isAdmitted = host?.admits(download.offer.author) ?? false
        guard let transport, !endpoints.isEmpty, isAdmitted else {
            return pause(download, unreachable(download))
        }
        download.phase = .dialling(transport.dial(endpoints, offering: .file))
    }

    // MARK: The connection

    /// A dial for a file has led to a connection.
    func opened(_ id: ConnectionID, _ dial: TransportDialID, _ opening: ConnectionOpening) {
        guard let download = downloads.of(dial), let transport, let host else {
            return { transport?.abort(id) }()
        }
        guard host.device(of: opening.peerKey) == download.offer.author,
            host.admits(download.offer.author)
        else {
            transport.abort(id)
            return pause(download, unreachable(download))
        }
        guard let proof = host.proof(of: download.offer, exporter: opening.exporter) else {
            transport.abort(id)
            return ended(download, "This device has left the conversation.")
        }
        download.phase = .asking(id)
        connections[id] = .fetching(download)
        let request = FileRequest(
            session: download.offer.session.core,
            offset: UInt64(download.count),
            proof: proof
        )
        transport.send(FileOpening.bytes(of: request), to: id)
        download.timer.arm(after: limits.silence)
    }

    /// A dial has failed; returns whether it was for a file.
    nonisolated func dialFailed(_ dial: TransportDialID) -> Bool {
        assumeIsolated { service in
            guard let download = service.downloads.of(dial) else { return false }
            service.pause(download, service.unreachable(download))
            return true
        }
    }

    /// The connection of a download has brought bytes.
    func received(_ bytes: Slice, for download: FileDownload, on id: ConnectionID) {
        download.timer.arm(after: limits.silence)
        guard case .asking = download.phase else { return take(bytes, for: download, on: id) }
        do throws(CodecError) {
            guard let (item, rest) = try download.answer.add(bytes) else { return }
            try answered(FileOpening.answer(in: item), download, on: id)
            if !rest.isEmpty, download.phase == .receiving(id) {
                take(rest, for: download, on: id)
            }
        } catch {
            pause(download, "\(name(of: download)) answers with something else than a file.")
        }
    }

    private func answered(_ answer: FileAnswer, _ download: FileDownload, on id: ConnectionID) {
        let name = name(of: download)
        switch answer {
        case .bytes(let size) where size == download.offer.file.bytes:
            download.phase = .receiving(id)
            report(download)
        case .refused(.busy): pause(download, "\(name) sends other files first.")
        case .refused(.tooFar), .bytes:
            throwAway(download, "The file of \(name) is another one than was offered.")
        case .refused(.unknown), .refused(.gone):
            throwAway(download, "\(name) does not have the file any more.")
        }
    }

    private func take(_ bytes: Slice, for download: FileDownload, on id: ConnectionID) {
        guard download.count + bytes.count <= download.offer.file.bytes else {
            return throwAway(download, "\(name(of: download)) sent more than was offered.")
        }
        download.progressed()
        download.count += bytes.count
        download.waiting += bytes.count
        work(download) { writer throws(FileFailure) in
            try writer.write(bytes)
            return bytes.count
        } then: { service, download, count in
            service.written(count, of: download)
        }
        if !download.isHeld, download.waiting > FileLimits.waitingBytes.most {
            download.isHeld = true
            transport?.pauseReading(from: id)
        }
        if download.count == download.offer.file.bytes { finish(download) }
    }

    private func written(_ count: Int, of download: FileDownload) {
        download.waiting -= count
        if download.isHeld, download.waiting < FileLimits.waitingBytes.few {
            download.isHeld = false
            if let id = download.connection { transport?.resumeReading(from: id) }
        }
        if download.isReportDue() { report(download) }
    }

    // MARK: The end

    /// All bytes are with the writer.
    private func finish(_ download: FileDownload) {
        leave(download)
        download.timer.disarm()
        download.phase = .finishing
        let path = folder.path(of: download.offer.session)
        let expected = download.offer.file.sha256
        work(download) { writer throws(FileFailure) in
            let isRight = try writer.finish().hex == expected
            if isRight { try writer.rename(to: path) }
            return isRight
        } then: { service, download, isRight in
            guard isRight else {
                return service.throwAway(
                    download,
                    "The file arrived damaged and was thrown away."
                )
            }
            service.ended(download)
        }
    }

    /// The connection of a transfer has ended before the file was here.
    func cut(_ download: FileDownload) {
        pause(download, "The connection to \(name(of: download)) was cut.")
    }

    /// Tries again after a while.
    private func pause(_ download: FileDownload, _ reason: String) {
        leave(download)
        download.pause(for: reason)
        report(download)
        // Later, as the next one may have to wait at once, and so on for all.
        here { (service: isolated FileService, _: Void) in service.startNext() }(())
    }

    /// Gives up, and keeps what is here for the next time that the file is accepted.
    private func fail(_ download: FileDownload, _ failure: FileFailure) {
        ended(
            download,
            failure.isLackOfSpace
                ? "The disk of this device is full." : "The disk of this device fails: \(failure)."
        )
    }

    /// Gives up, and throws away what is here.
    private func throwAway(_ download: FileDownload, _ reason: String) {
        leave(download)
        download.timer.disarm()
        download.phase = .finishing
        work(download) {
            $0.discard()
        } then: { service, download, _ in
            service.ended(download, reason)
        }
    }

    /// Ends the connection of a download.
    func leave(_ download: FileDownload) {
        guard let id = download.connection else { return }
        connections[id] = nil
        transport?.abort(id)
    }

    private func report(_ download: FileDownload) { host?.changed(download.transfer) }

    private func name(of download: FileDownload) -> String {
        host?.name(of: download.offer.author) ?? "The other device"
    }

    private func unreachable(_ download: FileDownload) -> String {
        "It waits until the device of \(name(of: download)) can be reached."
    }
}
