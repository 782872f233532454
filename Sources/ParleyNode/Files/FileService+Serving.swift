import ParleyCore
import ParleyLoop
import ParleyTransport

/// Serving offered files, and the events of all connections for files.
extension FileService {
    // MARK: Events of connections

    /// A connection for a file is open.
    nonisolated func opened(_ id: ConnectionID, _ opening: ConnectionOpening) {
        assumeIsolated { service in
            guard let dial = opening.dial else { return service.accepted(id, opening) }
            service.opened(id, dial, opening)
        }
    }

    /// Bytes have come; returns whether the connection is for a file.
    nonisolated func received(_ id: ConnectionID, _ bytes: Slice) -> Bool {
        assumeIsolated { service in
            switch service.connections[id] {
            case .serving(let serving): service.received(bytes, from: serving)
            case .fetching(let download): service.received(bytes, for: download, on: id)
            case .leaving: break
            case nil: return false
            }
            return true
        }
    }

    /// The kernel has taken all bytes; returns whether the connection is for a file.
    nonisolated func drained(_ id: ConnectionID) -> Bool {
        assumeIsolated { service in
            switch service.connections[id] {
            case .serving(let serving):
                serving.drained()
                service.pump(serving)
            case .fetching, .leaving: break
            case nil: return false
            }
            return true
        }
    }

    /// A connection has ended; returns whether it was for a file.
    nonisolated func closed(_ id: ConnectionID) -> Bool {
        assumeIsolated { service in
            switch service.connections.removeValue(forKey: id) {
            case .serving(let serving): serving.timer.cancel()
            case .fetching(let download): service.cut(download)
            case .leaving: break
            case nil: return false
            }
            return true
        }
    }

    // MARK: Requests

    private func accepted(_ id: ConnectionID, _ opening: ConnectionOpening) {
        guard let host else { return { transport?.abort(id) }() }
        let device = host.device(of: opening.peerKey)
        let silent = here { (service: isolated FileService, _: Void) in
            if let serving = service.serving(id) { service.drop(serving) }
        }
        let serving = FileServing(
            id,
            to: device,
            exporter: opening.exporter,
            timer: LoopTimer(on: executor) { silent(()) }
        )
        connections[id] = .serving(serving)
        guard host.admits(device) else { return drop(serving) }
        serving.timer.arm(after: limits.opening)
    }

    private func received(_ bytes: Slice, from serving: FileServing) {
        // Nothing may follow a request.
        guard serving.file == nil else { return drop(serving) }
        do throws(CodecError) {
            guard let (item, rest) = try serving.request.add(bytes) else { return }
            guard rest.isEmpty else { return drop(serving) }
            answer(try FileOpening.request(in: item), of: serving)
        } catch {
            drop(serving)
        }
    }

    private func answer(_ request: FileRequest, of serving: FileServing) {
        guard isLoaded else { return refuse(serving, .busy) }
        let session = SessionID(request.session)
        guard let offer = table.offers[session], offer.isMine, table.isHere(session),
            host?.proof(of: offer, exporter: serving.exporter) == request.proof
        else { return refuse(serving, .unknown) }
        host?.proved(serving.id)
        let others = servings.filter { $0.file != nil }
        guard others.count < limits.sent,
            others.count(where: { $0.device == serving.device }) < limits.sentToDevice
        else { return refuse(serving, .busy) }
        guard request.offset < UInt64(offer.file.bytes) else { return refuse(serving, .tooFar) }
        begin(serving, offer, at: Int(request.offset))
    }

    private func refuse(_ serving: FileServing, _ refusal: FileAnswer.Refusal) {
        transport?.send(FileOpening.bytes(of: .refused(refusal)), to: serving.id)
        close(serving)
    }

    // MARK: Sending

    private func begin(_ serving: FileServing, _ offer: FileOffer, at offset: Int) {
        let reader = FileReader(path: folder.path(of: offer.session))
        let size = offer.file.bytes
        serving.begin(offer.session, reader, size: size, at: offset)
        let id = serving.id
        let opened = here { (service: isolated FileService, found: Int?) in
            guard let serving = service.serving(id) else { return }
            guard found == size else { return service.refuse(serving, .gone) }
            let answer = FileAnswer.bytes(ofSize: UInt64(size))
            service.transport?.send(FileOpening.bytes(of: answer), to: id)
            service.pump(serving)
        }
        reader.enqueue { opened(try? $0.open()) }
    }

    /// Reads ahead, and sends what was read once the kernel has taken what was sent.
    private func pump(_ serving: FileServing) {
        serving.timer.arm(after: limits.silence)
        guard let reader = serving.file?.reader else { return }
        if let chunk = serving.takeChunk() { transport?.send(chunk, to: serving.id) }
        let id = serving.id
        while let part = serving.takeRead() {
            let read = here { (service: isolated FileService, bytes: [UInt8]?) in
                guard let serving = service.serving(id) else { return }
                // The file has become shorter, or the disk fails.
                guard let bytes, bytes.count == part.count else { return service.drop(serving) }
                serving.add(bytes)
                service.pump(serving)
            }
            reader.enqueue { read(try? $0.read(at: part.offset, count: part.count)) }
        }
    }

    // MARK: The end

    /// Sends what was queued, and ends the connection.
    private func close(_ serving: FileServing) {
        serving.timer.cancel()
        connections[serving.id] = .leaving
        transport?.close(serving.id)
    }

    /// Ends a connection at once.
    func drop(_ serving: FileServing) {
        serving.timer.cancel()
        connections[serving.id] = nil
        transport?.abort(serving.id)
        host?.closed(serving.id)
    }

    /// The connections on which peers ask for files, or get them.
    var servings: [FileServing] { connections.keys.compactMap(serving) }

    private func serving(_ id: ConnectionID) -> FileServing? {
        if case .serving(let serving) = connections[id] { serving } else { nil }
    }

    /// The connection of a stranger was aborted for another one.
    nonisolated func aborted(_ id: ConnectionID) {
        assumeIsolated { service in
            service.serving(id)?.timer.cancel()
            service.connections[id] = nil
        }
    }
}
