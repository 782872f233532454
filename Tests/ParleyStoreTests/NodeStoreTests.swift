import ParleyCore
import ParleyStore
import Testing

/// The behaviour that every implementation of `NodeStore` must have.
@Suite struct NodeStoreTests {
    @Test(arguments: StoreKind.allCases)
    func startsEmpty(kind: StoreKind) throws {
        let stored = try Restartable(kind)
        let contents = try stored.contents()
        #expect(contents.recovery == Recovery())
        #expect(contents.sessions.isEmpty)
        #expect(try stored.store.heads(ofRow: 1).isEmpty)
        #expect(try stored.store.blobChunk(Values.blob(1), index: 0) == nil)
        #expect(try stored.store.blobBytes(Values.blob(1)) == .notFound)
    }

    @Test(arguments: StoreKind.allCases)
    func keepsTheEpoch(kind: StoreKind) throws {
        let stored = try Restartable(kind)
        try stored.commit(.epoch(Epoch(.max)))
        try stored.commit(.epoch(Epoch(0xFEDC_BA98_7654_3210)))
        try stored.restart()
        #expect(try stored.contents().recovery.epoch == Epoch(0xFEDC_BA98_7654_3210))
    }

    @Test(arguments: StoreKind.allCases, [Capability.Role.relay, .reader, .writer])
    func keepsConversations(kind: StoreKind, role: Capability.Role) throws {
        let stored = try Restartable(kind)
        let first = Values.conversation(3, name: "Größe \u{0} 🎲", role: role)
        let second = Values.conversation(7, role: role)
        try stored.commit(.conversation(second), .conversation(first))
        try stored.restart()
        let recovery = try stored.contents().recovery
        #expect(recovery.conversations.map(\.record) == [first, second])
        #expect(recovery.nextConversationNumber == 8)
    }

    /// Writing a conversation again, with a new name or a certificate, keeps its other rows.
    @Test(arguments: StoreKind.allCases)
    func renamesConversations(kind: StoreKind) throws {
        let stored = try Restartable(kind)
        let row = Values.session(1, heads: [Values.head(1, 1)])
        try stored.commit(
            .conversation(Values.conversation(1)),
            .origin(conversation: 1, OriginID(Values.narrow(1)), Values.origin(1)),
            .session(row),
            .sequencesReserved(conversation: 1, end: 64)
        )
        try stored.commit(.conversation(Values.conversation(1, name: "another")))
        try stored.restart()
        let contents = try stored.contents()
        let conversation = try #require(contents.recovery.conversations.first)
        #expect(conversation.record.name == "another")
        #expect(conversation.origins == [OriginID(Values.narrow(1)): Values.origin(1)])
        #expect(conversation.sequencesReservedEnd == 64)
        #expect(contents.sessions == [row])
    }

    @Test(arguments: StoreKind.allCases)
    func keepsWhatBelongsToAConversation(kind: StoreKind) throws {
        let stored = try Restartable(kind)
        let incarnations = [
            FeedIncarnation(id: .max, start: 0), FeedIncarnation(id: 5, start: 17),
        ]
        let cursor = FeedCursor(incarnation: .max - 1, position: 12)
        try stored.commit(
            .conversation(Values.conversation(1)),
            .incarnationStarted(conversation: 1, incarnations[0]),
            .incarnationStarted(conversation: 1, incarnations[1]),
            .incarnationStarted(conversation: 1, incarnations[0]),
            .origin(conversation: 1, OriginID(Values.narrow(4)), Values.origin(4)),
            .cursor(conversation: 1, peer: Values.device(1), .beginning),
            .cursor(conversation: 1, peer: Values.device(1), cursor),
            .cursor(conversation: 1, peer: Values.device(2), .beginning)
        )
        try stored.restart()
        let conversation = try #require(stored.contents().recovery.conversations.first)
        #expect(conversation.incarnations == incarnations)
        #expect(conversation.origins == [OriginID(Values.narrow(4)): Values.origin(4)])
        #expect(conversation.cursors == [Values.device(1): cursor, Values.device(2): .beginning])
        #expect(conversation.sequencesReservedEnd == 1)
    }

    @Test(arguments: StoreKind.allCases)
    func keepsSeats(kind: StoreKind) throws {
        let stored = try Restartable(kind)
        let guests = try [63, 0, 17].map { try #require(Values.guest($0, at: $0)) }
        let successor = try #require(Values.guest(99, at: 17))
        try stored.commit(
            .conversation(Values.conversation(1)),
            .conversation(Values.conversation(2))
        )
        try stored.commitAll(
            guests.map { .seat(conversation: 1, $0.number, $0) }
                + [.seat(conversation: 2, successor.number, successor)]
        )
        try stored.commit(.seat(conversation: 1, successor.number, successor))
        try stored.restart()
        var seats = try stored.contents().recovery.conversations.map(\.seats)
        #expect(seats == [[guests[1], successor, guests[0]], [successor]])
        // An empty seat may become empty again.
        for _ in 0..<2 { try stored.commit(.seat(conversation: 1, successor.number, nil)) }
        // A conversation that is not there has no seats.
        try stored.commit(.seat(conversation: 9, successor.number, successor))
        try stored.restart()
        seats = try stored.contents().recovery.conversations.map(\.seats)
        #expect(seats == [[guests[1], guests[0]], [successor]])
        // Another name of the conversation changes no seat; leaving it empties all.
        try stored.commit(
            .conversation(Values.conversation(1, name: "another")),
            .conversationLeft(2),
            .conversation(Values.conversation(2))
        )
        try stored.restart()
        seats = try stored.contents().recovery.conversations.map(\.seats)
        #expect(seats == [[guests[1], guests[0]], []])
    }

    @Test(arguments: StoreKind.allCases)
    func keepsTheHostsOfOrigins(kind: StoreKind) throws {
        let stored = try Restartable(kind)
        let (id, origin) = (OriginID(Values.narrow(2)), Values.origin(2))
        #expect(origin.host != nil)
        try stored.commit(
            .conversation(Values.conversation(1)),
            .origin(conversation: 1, id, origin)
        )
        try stored.restart()
        #expect(try stored.contents().recovery.conversations.first?.origins == [id: origin])
    }

    @Test(arguments: StoreKind.allCases)
    func forgetsRuns(kind: StoreKind) throws {
        let stored = try Restartable(kind)
        let incarnation = FeedIncarnation(id: 7, start: 17)
        try stored.commit(
            .conversation(Values.conversation(1)),
            .conversation(Values.conversation(2)),
            .incarnationStarted(conversation: 1, FeedIncarnation(id: 5, start: 0)),
            .incarnationStarted(conversation: 2, FeedIncarnation(id: 6, start: 0)),
            .incarnationsForgotten(conversation: 1),
            .incarnationStarted(conversation: 1, incarnation)
        )
        try stored.restart()
        let conversations = try stored.contents().recovery.conversations
        #expect(
            conversations.map(\.incarnations)
                == [[incarnation], [FeedIncarnation(id: 6, start: 0)]]
        )
    }

    @Test(arguments: StoreKind.allCases)
    func neverReservesFewerSequences(kind: StoreKind) throws {
        let stored = try Restartable(kind)
        try stored.commit(.conversation(Values.conversation(1)))
        try stored.commit(.sequencesReserved(conversation: 1, end: 128))
        try stored.commit(.sequencesReserved(conversation: 1, end: 64))
        try stored.restart()
        let conversation = try #require(stored.contents().recovery.conversations.first)
        #expect(conversation.sequencesReservedEnd == 128)
    }

    @Test(arguments: StoreKind.allCases)
    func keepsTheLatestRunsAndAddresses(kind: StoreKind) throws {
        let stored = try Restartable(kind)
        try stored.commit(.conversation(Values.conversation(1)))
        let incarnations = (0..<300).map {
            FeedIncarnation(id: UInt64($0) + 1, start: UInt64($0))
        }
        try stored.commitAll(incarnations.map { .incarnationStarted(conversation: 1, $0) })
        let texts = (0..<1_100).map { "192.0.2.1:\($0)" }
        try stored.commitAll(texts.map { .address(device: Values.device(1), text: $0) })
        try stored.commit(.address(device: Values.device(1), text: texts[500]))
        try stored.restart()
        let recovery = try stored.contents().recovery
        let kept = incarnations.suffix(StoreLimits.incarnationsPerConversation)
        #expect(recovery.conversations.first?.incarnations == Array(kept))
        #expect(recovery.addresses.count == StoreLimits.addresses)
        #expect(recovery.addresses.last?.text == texts[500])
        #expect(recovery.addresses.dropLast().last?.text == texts[1_099])
    }

    @Test(arguments: StoreKind.allCases)
    func keepsTheLastNameOfADevice(kind: StoreKind) throws {
        let stored = try Restartable(kind)
        let longest = String(repeating: "é", count: Limits.deviceNameBytes / 2)
        try stored.commit(
            .deviceName(device: Values.device(1), name: "kitchen"),
            .deviceName(device: Values.device(2), name: "Zoé's \u{0} 🎲"),
            .deviceName(device: Values.device(3), name: "three")
        )
        try stored.commit(.deviceName(device: Values.device(1), name: longest))
        try stored.restart()
        try stored.commit(.deviceName(device: Values.device(3), name: "drei"))
        try stored.restart()
        let names = [
            Values.device(1): longest, Values.device(2): "Zoé's \u{0} 🎲", Values.device(3): "drei",
        ]
        #expect(try stored.contents().recovery.deviceNames == names)
    }

    @Test(arguments: StoreKind.allCases)
    func replacesSessionsWhole(kind: StoreKind) throws {
        let stored = try Restartable(kind)
        let old = Values.session(
            9,
            heads: [Values.head(1, 1), Values.head(2, 1, bytes: 65_536)],
            lines: Values.bytes(200, 1)
        )
        let new = Values.session(9, position: 1 << 47, heads: [Values.head(3, 1 << 47, bytes: 0)])
        let other = Values.session(2, position: 3, heads: [])
        try stored.commit(.conversation(Values.conversation(1)), .session(old), .session(other))
        #expect(try stored.store.heads(ofRow: 9) == old.heads)
        try stored.commit(.session(new))
        #expect(try stored.store.heads(ofRow: 9) == new.heads)
        try stored.restart()
        #expect(try stored.contents().sessions == [other, new])
    }

    @Test(arguments: StoreKind.allCases)
    func keepsTheBytesThatAreThere(kind: StoreKind) throws {
        let stored = try Restartable(kind)
        let heads = [Values.head(1, 1), Values.head(2, 1), Values.head(3, 1)]
        try stored.commit(
            .conversation(Values.conversation(1)),
            .session(Values.session(1, heads: heads))
        )
        let kept = [StoredHead(dot: heads[2].dot, envelope: nil), Values.head(4, 1)]
        try stored.commit(.session(Values.session(1, position: 2, heads: kept)))
        try stored.restart()
        #expect(try stored.store.heads(ofRow: 1) == [heads[2], Values.head(4, 1)])
    }

    @Test(arguments: StoreKind.allCases)
    func readsSeveralRowsInTheirOrder(kind: StoreKind) throws {
        let stored = try Restartable(kind)
        try stored.commit(.conversation(Values.conversation(1)))
        let there: [Int64] = [1, 2, 3, 5, 6]
        for row in there {
            try stored.commit(.session(Values.session(row, heads: [Values.head(1, UInt64(row))])))
        }
        let orders: [[Int64]] = [
            [3, 9, 1], [], [1, 2, 3], [2, 3, 4, 5, 6, 7], [4, 5], [2, 2, 3], [6, 5, 1], [7, 8, 1],
        ]
        for rows in orders {
            let expected = rows.map { row -> Few<StoredHead> in
                there.contains(row) ? [Values.head(1, UInt64(row))] : []
            }
            #expect(stored.store.heads(ofRows: rows) == expected.map { .success($0) }, "\(rows)")
        }
    }

    @Test(arguments: StoreKind.allCases)
    func reportsBytesThatAreNowhere(kind: StoreKind) throws {
        let stored = try Restartable(kind)
        try stored.commit(.conversation(Values.conversation(1)))
        let missing = StoredHead(dot: Values.dot(8, 8), envelope: nil)
        let row = Values.session(1, heads: [missing, Values.head(1, 1)])
        let damage = try stored.store.commit([.session(row)])
        #expect(damage.first == [.bytesMissing(row: 1, dot: Values.dot(8, 8))])
        #expect(try stored.store.heads(ofRow: 1) == [Values.head(1, 1)])
    }

    @Test(arguments: StoreKind.allCases)
    func forgetsAConversationButNotItsNumber(kind: StoreKind) throws {
        let stored = try Restartable(kind)
        let kept = Values.session(2, of: 1, heads: [Values.head(2, 1)])
        try stored.commitAll([1, 2].map { .conversation(Values.conversation($0)) })
        try stored.commit(
            .origin(conversation: 2, OriginID(Values.narrow(1)), Values.origin(1)),
            .incarnationStarted(conversation: 2, FeedIncarnation(id: 1, start: 0)),
            .cursor(conversation: 2, peer: Values.device(1), .beginning),
            .sequencesReserved(conversation: 2, end: 64),
            .session(Values.session(1, of: 2, heads: [Values.head(1, 1)])),
            .session(kept)
        )
        try stored.commit(.conversationLeft(2))
        // A late write to the conversation has no effect.
        try stored.commit(
            .cursor(conversation: 2, peer: Values.device(1), .beginning),
            .session(Values.session(3, of: 2, heads: [Values.head(1, 2)])),
            .sequencesReserved(conversation: 2, end: 128)
        )
        try stored.restart()
        let contents = try stored.contents()
        #expect(contents.recovery.conversations.map(\.record.number) == [1])
        #expect(contents.recovery.nextConversationNumber == 3)
        #expect(contents.sessions == [kept])
        #expect(try stored.store.heads(ofRow: 1).isEmpty)
    }

    @Test(arguments: StoreKind.allCases)
    func gathersBlobs(kind: StoreKind) throws {
        let stored = try Restartable(kind)
        let id = Values.blob(1)
        let chunks = [65_536, 65_536, 10].enumerated().map {
            Values.bytes($0.element, UInt64($0.offset))
        }
        try stored.commit(.blobChunk(id, index: 2, chunks: 3, chunks[2]))
        try stored.commit(.blobChunk(id, index: 0, chunks: 3, chunks[0]))
        try stored.restart()
        let half = RecoveredBlob(isComplete: false, chunks: [0, 2])
        #expect(try stored.contents().recovery.blobs == [id: half])
        #expect(try stored.store.blobBytes(id) == .damaged(chunks: [1]))
        #expect(try stored.store.blobChunk(id, index: 2) == chunks[2])
        #expect(try stored.store.blobChunk(id, index: 1) == nil)

        try stored.commit(.blobChunk(id, index: 1, chunks: 3, chunks[1]))
        #expect(try stored.store.blobBytes(id).bytes == Slice(chunks.flatMap(\.bytes)))
        try stored.commit(.blobCompleted(id))
        try stored.restart()
        let whole = RecoveredBlob(isComplete: true, chunks: [])
        #expect(try stored.contents().recovery.blobs == [id: whole])
        #expect(try stored.store.blobBytes(id).bytes == Slice(chunks.flatMap(\.bytes)))

        try stored.commit(.blobChunksDropped(id, [1]))
        try stored.restart()
        #expect(try stored.contents().recovery.blobs == [id: half])
        try stored.commit(.blobChunk(id, index: 1, chunks: 3, chunks[1]), .blobCompleted(id))
        #expect(try stored.contents().recovery.blobs == [id: whole])

        try stored.commit(.blobDropped(id), .blobCompleted(id))
        #expect(try stored.contents().recovery.blobs.isEmpty)
        #expect(try stored.store.blobChunk(id, index: 0) == nil)
    }

    @Test(arguments: StoreKind.allCases)
    func skipsRowsThatTheReaderRefuses(kind: StoreKind) throws {
        struct NoGood: Error, CustomStringConvertible { let description = "no good" }
        let stored = try Restartable(kind)
        try stored.commit(.conversation(Values.conversation(1)))
        try stored.commitAll(
            (1...3).map { .session(Values.session($0, heads: [Values.head(1, UInt64($0))])) }
        )
        var rows: [Int64] = []
        let damage = try stored.store.recoverSessions { row in
            if row.row == 2 { throw NoGood() }
            rows.append(row.row)
        }
        #expect(rows == [1, 3])
        #expect(damage.first == [.refused(row: 2, reason: "no good")])
    }
}
