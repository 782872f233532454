package import Foundation
import ParleyCore
import ParleyKeys
import ParleyStore
import Synchronization

/// A check of all hashes and proofs in a data directory's database, from another process.
///
/// The node may run meanwhile. The check reads the same rows as a start, and treats each message as
/// if a peer had sent it.
package final class DirectoryVerification: Sendable {
    private let directory: URL
    /// The name of the only conversation to check; nil for all.
    private let only: String?
    private let done = Atomic<Int>(0)

    package init(of directory: URL, conversation: String? = nil) {
        self.directory = directory
        only = conversation
    }

    private var database: String { directory.appending(path: DirectoryFiles.database).path }

    /// The bytes read so far, and the length of the database.
    package var progress: (done: Int, all: Int) {
        var status = stat()
        let all = stat(database, &status) == 0 ? Int(status.st_size) : 0
        return (done.load(ordering: .relaxed), all)
    }

    /// Checks everything; the call blocks as long as it takes.
    ///
    /// - Throws: `nothingThere`, `file`, `directory`; damage of any kind is no error.
    package func run() throws(CareError) -> VerifiedStore {
        guard access(database, F_OK) == 0 else {
            throw errno == ENOENT ? .nothingThere(directory) : .system(database)
        }
        do throws(StoreError) {
            return try look()
        } catch .corrupt(_, let detail) {
            return VerifiedStore(structure: detail)
        } catch {
            throw CareError(error)
        }
    }

    private func look() throws(StoreError) -> VerifiedStore {
        let view = try StoreView(of: database)
        try view.checkStructure()
        let recovered = try view.recover()
        var store = VerifiedStore(recovered, only: only)
        let crypto = DeviceCryptography(DeviceKey.random())
        var proofs = StoreProofs(recovered.recovery, crypto)
        let damage = try view.sessions { row in
            guard let index = store.index(of: row.conversation) else { return }
            store.add(row, toConversationAt: index, proofs.problem(of: row))
            let bytes = row.heads.reduce(0) { $0 + ($1.envelope?.count ?? 0) }
            done.add(bytes, ordering: .relaxed)
        }
        try store.add(damage) { row throws(StoreError) in try view.conversation(ofRow: row) }
        for (blob, conversation) in store.takePictures() {
            let (problem, bytes) = try Self.check(blob, view, crypto)
            done.add(bytes, ordering: .relaxed)
            guard let problem else { continue }
            store.add(.picture(blob.hex), problem, toConversationAt: conversation)
        }
        return store
    }

    /// Checks damaged sessions and pictures again, by their checksums only.
    ///
    /// - Returns: the parts that are still damaged.
    package func stillDamaged(of damage: [FoundDamage]) throws(CareError) -> [FoundDamage] {
        do throws(StoreError) {
            let view = try StoreView(of: database)
            let rows = try view.sessions { _ in }.first.compactMap(\.sessionRow)
            let crypto = DeviceCryptography(DeviceKey.random())
            var still: [FoundDamage] = []
            for one in damage {
                switch one.part {
                case .session(let row) where !rows.contains(row): continue
                case .picture(let hash):
                    guard let blob = BlobID(hex: hash),
                        try Self.check(blob, view, crypto).problem != nil
                    else { continue }
                case .session, .record, .proof: break
                }
                still.append(one)
            }
            return still
        } catch {
            throw CareError(error)
        }
    }

    /// The fault of a picture, nil if it is sound, and the number of its bytes.
    private static func check(
        _ blob: BlobID,
        _ view: StoreView,
        _ crypto: DeviceCryptography
    ) throws(StoreError) -> (problem: String?, bytes: Int) {
        switch try view.blob(blob) {
        case .whole(let bytes):
            let isRight = BlobID(crypto.sha256(bytes)) == blob
            return (isRight ? nil : "its hash is not its name", bytes.count)
        case .damaged(let chunks):
            let one = chunks.count == 1
            return (one ? "a chunk is damaged" : "\(chunks.count) chunks are damaged", 0)
        case .notFound, .unreadable: return ("it is not there any more", 0)
        }
    }
}

/// The proofs of the messages in a database: certificates of devices, and signatures.
private struct StoreProofs {
    private var conversations: [UInt32: ParleyCore.Conversation] = [:]
    private let crypto: DeviceCryptography

    init(_ recovery: Recovery, _ crypto: DeviceCryptography) {
        self.crypto = crypto
        for var recovered in recovery.conversations {
            let origins = recovered.origins
            recovered.origins = [:]
            var conversation = ParleyCore.Conversation(
                recovered: recovered,
                device: DeviceID(publicKey: crypto.devicePublicKey, using: crypto),
                epoch: Epoch(0),
                limits: Limits(),
                using: crypto
            )
            for (id, record) in origins {
                // Messages of an origin without a valid certificate have no valid proof.
                let found = try? conversation.introduced(record, using: crypto)
                if let found, found.id == id { conversation.add(found) }
            }
            conversations[recovered.record.number] = conversation
        }
    }

    /// The fault of the messages of a session; nil if they are sound.
    mutating func problem(of row: SessionRow) -> String? {
        guard !row.heads.isEmpty else { return "it has no message" }
        for stored in row.heads {
            guard let bytes = stored.envelope, let envelope = try? Envelope(decoding: bytes),
                envelope.header.tag == row.tag, envelope.header.dot == stored.dot,
                let id = conversations[row.conversation]?.record.id
            else { return "a message cannot be decoded" }
            let head = envelope.head(in: id, using: crypto)
            do throws(Refusal) {
                try conversations[row.conversation]?.prove(head, by: envelope.proof, using: crypto)
            } catch .uncertified {
                return "the certificate of an author is missing or not valid"
            } catch {
                return "the signature of a message is not valid"
            }
        }
        return nil
    }
}
