/// The signed statement that makes a generation of keys out of its parent: who stays, with the new
/// keys sealed for each in `KeyBoxes`.
package struct GenerationRecord: Sendable, Equatable {
    package let statement: Statement
    /// The signature of the parent's W, which shows that a writer of the parent made the record.
    package let writeSignature: Signature
    /// The signature of the author's device.
    package let deviceSignature: Signature

    /// The part of a record that is signed.
    package struct Statement: Sendable, Equatable {
        package let conversation: ConversationID
        package let parent: GenerationID
        /// One more than the number of the parent; the birth generation has the number 1.
        package let number: UInt32
        /// The public half of the new W.
        package let publicWriteKey: Bytes32
        /// The raw Ed25519 key of the device that changed the keys.
        package let author: Bytes32
        /// The admissions from the creator down to the author.
        package let path: [Admission]
        /// The listings of the devices that stay, ascending: see `DeviceID.listing`.
        package let stays: [Bytes16]
        /// The parent's K, and K of generations that it does not open: see `EarlierKeys`.
        package let earlier: Slice
        /// The first 16 bytes of SHA-256("parley check" ‖ the new K).
        package let check: Bytes16
        /// SHA-256 of the packed boxes.
        package let boxes: Bytes32

        package init(
            conversation: ConversationID,
            parent: GenerationID,
            number: UInt32,
            publicWriteKey: Bytes32,
            author: Bytes32,
            path: [Admission],
            stays: [Bytes16],
            earlier: Slice,
            check: Bytes16,
            boxes: Bytes32
        ) {
            self.conversation = conversation
            self.parent = parent
            self.number = number
            self.publicWriteKey = publicWriteKey
            self.author = author
            self.path = path
            self.stays = stays
            self.earlier = earlier
            self.check = check
            self.boxes = boxes
        }
    }

    package init(statement: Statement, writeSignature: Signature, deviceSignature: Signature) {
        self.statement = statement
        self.writeSignature = writeSignature
        self.deviceSignature = deviceSignature
    }

    /// The ID and its signed form: "parley rotation 1" ‖ ID.
    package static func signedBytes(_ id: GenerationID) -> [UInt8] {
        Array("parley rotation 1".utf8) + id.bytes
    }

    /// Whether both signatures hold, with the parent's W.
    func isSigned(
        as id: GenerationID,
        by parentKey: Bytes32,
        using crypto: some Cryptography
    ) -> Bool {
        let signed = Self.signedBytes(id)
        return crypto.verify(writeSignature, of: signed.span.bytes, by: parentKey)
            && crypto.verify(deviceSignature, of: signed.span.bytes, by: statement.author)
    }

    /// Whether a device stays with at least the role of its listing.
    package func lists(_ listing: Bytes16) -> Bool { place(of: listing) != nil }

    /// The place of a device among those who stay, with at least the role of its listing.
    func place(of listing: Bytes16) -> Int? {
        let index = statement.stays.partitioningIndex { $0 >= listing }
        guard index < statement.stays.count else { return nil }
        let (found, sought) = (statement.stays[index].words, listing.words)
        return found.0 == sought.0 && found.1 ^ sought.1 <= UInt8.max ? index : nil
    }
}

extension DeviceID {
    /// The name of a device in the list of those who stay: the first 15 bytes of SHA-256("parley
    /// stays" ‖ conversation ID ‖ device ID) ‖ u8 role.
    ///
    /// Without the role, a relay in the list could write by an earlier certificate, which a former
    /// member has made.
    package func listing(
        in conversation: ConversationID,
        as role: Capability.Role = .writer,
        using crypto: some Cryptography
    ) -> Bytes16 {
        let hash = crypto.sha256(Array("parley stays".utf8) + conversation.bytes + bytes).words
        return Bytes16(hash.0, hash.1 & ~UInt64(UInt8.max) | UInt64(role.rawValue))
    }
}
