import ParleyCore

/// The contents of a `MemoryStore`; writes are applied literally, one by one.
struct MemoryTables {
    struct Blob {
        var total: Int
        var isComplete = false
        var chunks: [Int: Slice] = [:]

        /// The chunks in order, or which of them are missing.
        var stored: StoredBlob {
            var bytes: [UInt8] = []
            let missing = (0..<max(total, 0)).filter { chunks[$0] == nil }
            guard missing.isEmpty else { return .damaged(chunks: missing) }
            for index in 0..<max(total, 0) { chunks[index]?.append(to: &bytes) }
            return .whole(Slice(bytes))
        }

        /// Whether a complete blob has all of its chunks.
        var isWhole: Bool { isComplete && chunks.count >= total }
    }

    private(set) var sessions = SessionRows()
    private(set) var blobs: [BlobID: Blob] = [:]
    private var device: DeviceID?
    private var epoch: Epoch?
    private var conversations: [UInt32: RecoveredConversation] = [:]
    private var nextConversationNumber: UInt32 = 1
    private var addresses: [RememberedAddress] = []
    private var deviceNames: [DeviceID: String] = [:]
    private var damage = DamageReports()

    var recovery: Recovery {
        var recovery = Recovery()
        recovery.device = device
        recovery.epoch = epoch
        recovery.conversations = conversations.sorted { $0.key < $1.key }.map(\.value)
        recovery.nextConversationNumber = nextConversationNumber
        recovery.blobs = blobs.mapValues { blob in
            RecoveredBlob(
                isComplete: blob.isWhole,
                chunks: blob.isWhole ? [] : Set(blob.chunks.keys)
            )
        }
        recovery.addresses = addresses
        recovery.deviceNames = deviceNames
        return recovery
    }

    /// Returns the damage reports since the last call.
    mutating func takeDamage() -> DamageReports {
        defer { damage = .none }
        return damage
    }

    mutating func apply(_ write: StoreWrite) {
        switch write {
        case .device(let value):
            device = value
        case .epoch(let value):
            epoch = value
        case .conversation(let record):
            keep(record)
        case .conversationLeft(let number):
            leave(number)
        case .sequencesReserved(let number, let end):
            let present = conversations[number]?.sequencesReservedEnd ?? 1
            conversations[number]?.sequencesReservedEnd = max(present, end)
        case .incarnationStarted(let number, let incarnation):
            start(incarnation, of: number)
        case .incarnationsForgotten(let number):
            conversations[number]?.incarnations = []
        case .origin(let number, let id, let record):
            conversations[number]?.origins[id] = record
        case .seat(let number, let seat, let guest):
            conversations[number]?.place(guest, at: seat)
        case .member(let number, let name, let record):
            conversations[number]?.members[name] = record
        case .session(let row):
            replace(row)
        case .cursor(let number, let peer, let cursor):
            conversations[number]?.cursors[peer] = cursor
        case .blobChunk(let id, let index, let total, let bytes):
            blobs[id, default: Blob(total: total)].chunks[index] = bytes
            blobs[id]?.total = total
        case .blobCompleted(let id):
            blobs[id]?.isComplete = true
        case .blobDropped(let id):
            blobs[id] = nil
        case .blobChunksDropped(let id, let chunks):
            blobs[id]?.isComplete = false
            for chunk in chunks { blobs[id]?.chunks[chunk] = nil }
        case .address(let device, let text):
            remember(RememberedAddress(device: device, text: text))
        case .deviceName(let device, let name):
            deviceNames[device] = name
        }
    }

    private mutating func keep(_ record: ConversationRecord) {
        var conversation = RecoveredConversation(record: record)
        if let present = conversations[record.number] {
            conversation.origins = present.origins
            conversation.incarnations = present.incarnations
            conversation.cursors = present.cursors
            conversation.sequencesReservedEnd = present.sequencesReservedEnd
            conversation.seats = present.seats
            conversation.members = present.members
        }
        conversations[record.number] = conversation
        use(record.number)
    }

    private mutating func leave(_ number: UInt32) {
        conversations[number] = nil
        sessions.removeAll(of: number)
        use(number)
    }

    private mutating func use(_ number: UInt32) {
        let (next, overflow) = number.addingReportingOverflow(1)
        nextConversationNumber = max(nextConversationNumber, overflow ? number : next)
    }

    private mutating func start(_ incarnation: FeedIncarnation, of number: UInt32) {
        guard var incarnations = conversations[number]?.incarnations,
            !incarnations.contains(where: { $0.id == incarnation.id })
        else { return }
        incarnations.append(incarnation)
        conversations[number]?.incarnations =
            incarnations.suffix(StoreLimits.incarnationsPerConversation)
    }

    private mutating func replace(_ row: SessionRow) {
        guard conversations.keys.contains(row.conversation) else { return }
        let kept = sessions[row.row]?.heads ?? Few()
        sessions[row.row] =
            row.hasAllBytes ? row : row.filled(from: kept, reporting: &damage)
    }

    private mutating func remember(_ address: RememberedAddress) {
        addresses.removeAll { $0 == address }
        addresses.append(address)
        addresses = addresses.suffix(StoreLimits.addresses)
    }
}
