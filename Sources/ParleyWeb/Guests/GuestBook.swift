import Foundation
import ParleyNode

/// The conversations that are open to guests, as a file of the data directory keeps them.
///
/// The guests themselves are in the database.
struct GuestBook: Codable, Sendable {
    /// How a conversation is open to guests.
    struct Opening: Codable, Hashable, Sendable {
        var code = GuestCode.random()
        /// The most guests.
        var seats = Self.usualSeats
        /// Whether nobody else may come; those inside stay.
        var isLocked = false

        static let usualSeats = 16
    }

    /// The secret from which the keys of guests' pages are derived.
    var seed = Secret.random().text
    /// The port that links have named.
    var port: Int?
    /// The digits by which guests without their cookie are known, by participant.
    var digits: [String: String]?
    /// By the IDs of the conversations.
    var openings: [String: Opening] = [:]

    /// The limit of the file, in bytes.
    private static let bytesMax = 1 << 20

    init() {}

    /// Reads the book of a file; nil if there is none.
    ///
    /// - Throws: the failure of reading, or the error of decoding.
    init?(readFrom file: KeptFile) throws {
        guard let bytes = try file.read(atMost: Self.bytesMax) else { return nil }
        self = try JSONDecoder().decode(GuestBook.self, from: Data(bytes))
    }

    func keep(in file: KeptFile?) throws(KeptFile.Failure) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        // Texts and numbers can always be encoded.
        guard let file, let data = try? encoder.encode(self) else { return }
        try file.replace(with: Array(data))
    }
}
