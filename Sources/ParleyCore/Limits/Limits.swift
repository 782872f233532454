/// Every limit of the protocol and of a node, in one place; `docs/protocol.md` repeats the first
/// group for other implementations.
package struct Limits: Sendable, Equatable {
    // MARK: Protocol: the same on every node, for ever

    /// The three items of an envelope together, in bytes.
    package static let envelopeBytes = 64 << 10
    /// One blob as it is sealed, in bytes.
    package static let blobBytes = 4 << 20
    /// Blobs that one envelope may list.
    package static let blobsPerEnvelope = 8
    /// Origins in the context of one envelope.
    package static let contextOrigins = 256
    /// Participants that one envelope may name as next.
    package static let nextParticipants = 16
    /// Heads that one session keeps.
    package static let heads = 64
    /// Revisions and sequences lie below this.
    package static let sequenceEnd: UInt64 = 1 << 48
    /// Depth of the tree of a batch proof: at most 1,024 envelopes share a signature.
    package static let proofDepth = 10
    /// A frame from a peer that has proved nothing, in bytes.
    package static let strangerFrameBytes = 64 << 10
    /// A frame from a peer with whom a conversation is shared, in bytes.
    package static let frameBytes = 256 << 10
    /// One chunk of a blob, in bytes.
    package static let blobChunkBytes = 64 << 10
    /// Nesting of the encoding.
    package static let codecDepth = 6
    /// The URL of a message, in characters; checked where it is written.
    package static let urlCharacters = 5_000
    /// Bytes that may travel inside a body instead of in a blob.
    package static let inlineBytes = 8 << 10
    /// The sealed body of a message of a turn game, in bytes: with a header it is less than
    /// `sessionBytes` as a rule, so that games go on.
    package static let matchBytes = 15 << 10
    /// The seats of a turn game.
    package static let matchSeats = 16
    /// The seconds that a turn may take: up to 30 days.
    package static let clockSeconds: ClosedRange<UInt64> = 15...2_592_000
    /// Parts of one message of a game.
    package static let matchParts = 16
    /// A sealed part, in bytes.
    package static let partBytes = 2 << 10
    /// Messages against the rules that one message of a game names.
    package static let overruledMessages = 16
    /// Settled offers of exchanges that one message of a game names.
    package static let settledExchanges = 16
    /// Additions of one kind by one participant to one session.
    package static let sideSlots: UInt64 = 16
    /// The content of an addition to a session, in bytes.
    package static let sideBytes = 8 << 10
    /// The name of a conversation, in bytes of UTF-8.
    package static let conversationNameBytes = 64
    /// Entries of one `have` or `want` frame.
    package static let haveEntries = 1_024
    /// The tags of a `conversations` frame come in groups of this many.
    package static let conversationGroup = 8
    /// The most tags from a peer on a link, filled up to whole groups.
    package static let conversationTags = 4_096
    /// Envelopes that crossed this many links are announced instead of pushed.
    package static let hops = 8

    // MARK: Node: the same on every node of ours

    /// Signals of a device at once; further ones follow after `signalInterval` each.
    package static let signalsAtOnce: Int64 = 8
    /// The interval of signals of one device.
    package static let signalInterval = Interval.milliseconds(250)
    /// Origins, and devices, whose last signals are remembered.
    package static let signalAuthors = 4_096

    /// Receipts of others that are kept of one conversation, in all 1 MiB.
    package static let receiptsKept = 8_192
    /// Runs of sequences that are kept of one origin, and of one device for one origin: the latest.
    package static let receiptRuns = 256
    /// Receipts for this node in one conversation that wait for keys, or for the keys of a device.
    package static let receiptsUnopened = 64
    /// Devices whose receipts are counted in one conversation.
    package static let receiptDevices = 1_024
    /// Messages of this node whose count of devices is followed at a time.
    package static let receiptsFollowed = 4_096
    /// Origins of a conversation with receipts that go everywhere after a start, while no way to
    /// their authors is known.
    package static let receiptOriginsAtStart = 64
    /// Origins for which the way of receipts is remembered in one conversation, besides those for
    /// which there is something to send.
    package static let receiptRoutes = 4_096
    /// Messages that are about to be reported in one conversation.
    package static let receiptsPending = 8_192

    /// Participants of one conversation whose left-out messages a full node remembers.
    package static let participantsLeftOut = 1_024

    /// The invites that end, of all conversations; ended ones give way first.
    package static let invites = 64
    /// Devices that one invite lets in.
    package static let inviteUses: ClosedRange<UInt32> = 1...256
    /// Wrong knocks from one address within `knockPeriod`; further ones are told to wait.
    package static let wrongKnocks = 5
    package static let knockPeriod = Interval.seconds(60)
    /// Wrong knocks that are remembered.
    package static let wrongKnocksKept = 256
    /// Knocks that wait for the clock or the disk.
    package static let waitingKnocks = 64
    /// Generations of keys on one branch of a conversation; each member has a share.
    package static let generations = 4_096
    /// Generations of a conversation beside the line, and how many of these keep their boxes; each
    /// member has a share.
    package static let generationsBeside = 1_024
    package static let boxesBeside = 64
    /// Vouches by members that are kept of one conversation, and of one device there.
    package static let vouches = 1_024
    package static let vouchesPerDevice = 64
    /// Vouches that are kept of devices that are no members, or not on this line.
    package static let idleVouches = 128
    /// Envelopes that came and did not count, as far as they are remembered.
    package static let uncountedEnvelopes = 1_024
    /// Generations of a conversation, besides the current one, whose keys are proved on a link: the
    /// birth generation and the latest others.
    package static let earlierTags = 8
    /// Devices of one conversation whose roles are remembered.
    package static let knownDevices = 1_024
    /// Admissions that are kept of one conversation.
    package static let admissions = 1_024
    /// Admissions up to which writers are admitted by their cards, which cost no connection.
    package static let admissionsByCards = admissions / 2
    /// Cards of otherwise unknown devices that one link may bring.
    package static let cardsPerLink = 64
    /// Admissions that one link may bring, besides the first of its device and of inviters with
    /// envelopes here.
    package static let admissionsPerLink = 64

    /// The bytes of heads and listed blobs of a session in an otherwise full conversation: enough
    /// for messages without a picture, so that games go on.
    package static let sessionBytes = 16 << 10
    /// Turn games that a node keeps of a conversation to judge their next messages; those that are
    /// over give way first.
    ///
    /// A game takes up to 50 KiB of memory, and 3 KiB as a rule.
    package static let matches = 4_096
    /// Members' devices whose cursors are kept in one conversation.
    ///
    /// A device without one announces its whole feed on each link.
    package static let cursors = 4_096

    // MARK: Node: defaults that an operator may change

    /// Summary lines that one session leaves behind.
    package var summariesPerSession = 16
    /// Conversations of this node.
    package var conversations = 256
    /// Slots for links to members.
    package var links = 64
    /// Connections of strangers, except for connections that this node dialled.
    package var strangers = 64
    /// The same, from one address.
    package var strangersPerSource = 8
    /// The limits of a conversation that needs an invite, each of whose writers was trusted once.
    ///
    /// A head takes some 600 bytes of memory as a rule and 13 KiB at worst, an origin 300 bytes:
    /// 160 MiB in all, or more than 3 GiB, for a conversation that is full.
    package var quota = Quota(
        conversation: KeptAmount(heads: 262_144, bytes: 16 << 30, origins: 65_536),
        device: KeptAmount(heads: 131_072, bytes: 8 << 30, origins: 1_024)
    )
    /// The limits of an open conversation, in which devices cost nothing: 10 MiB of memory as a
    /// rule, 210 MiB at worst (0059).
    package var openQuota = Quota(
        conversation: KeptAmount(heads: 16_384, bytes: 1 << 30, origins: 1_024),
        device: KeptAmount(heads: 4_096, bytes: 256 << 20, origins: 64)
    )
    /// The limit of all open conversations together, as their names cost nothing either.
    package var openConversations = KeptAmount(heads: 65_536, bytes: 2 << 30, origins: 2_048)
    /// The limit of all conversations together: four full ones, with 600 bytes of memory for a head
    /// as a rule some 700 MiB.
    ///
    /// The limits of single conversations add up to more than a machine has.
    package var allConversations = KeptAmount(
        heads: 1_048_576,
        bytes: 64 << 30,
        origins: 262_144
    )
    /// Envelope bytes that wait for a commit.
    package var commitQueueBytes = 32 << 20
    /// Envelope bytes kept in memory so that they need not be read back to be sent.
    package var cacheBytes = 24 << 20
    /// Encoded bytes handed to one link and not yet written.
    package var outboxBytes = 256 << 10
    /// The highest number of a roll in a game: the length of a chain.
    package static let matchRolls: UInt64 = 256
    /// The highest number of a deck in a game.
    package static let matchDecks: UInt64 = 65_535
    /// The cards of a deck.
    package static let deckCards = 64
    /// The additions to decks that a node keeps in memory of one conversation.
    ///
    /// Each has up to 8 KiB. The player with the most loses the oldest.
    package static let deckShares = 1_024
    /// Requests of authors that wait for a commit.
    package static let waitingRequests = 4_096
    /// Links that have a part in the wants of one conversation at a time.
    package static let seats = 128
    /// The memory that a want takes, with its part of the indices, in bytes.
    package static let wantBytes = 160
    /// The memory that a missing envelope takes on its link, in bytes.
    package static let missingBytes = 160
    /// The highest value of `links`: a device may have a second link for a moment, and each link
    /// needs a seat for what it announces.
    package static let linksMax = seats / 2
    /// Memory for the names of envelopes that peers announced and this node lacks, on all links.
    package var announcedBytes = 16 << 20
    /// Bytes that the disk of the data keeps free; with fewer, nothing is stored.
    ///
    /// The value is twice the usual size of SQLite's log, and more than the commit queue.
    package var freeSpace = 64 << 20
    /// Blobs fetched at a time.
    package var blobFetches = 8
    /// Bytes of stored blobs that the pass after the start reads back and checks per second.
    package var firstScrubBytesPerSecond = 16 << 20
    /// The same, in later passes.
    package var scrubBytesPerSecond = 1 << 20
    /// The time from the end of one pass over the stored blobs to the next.
    package var scrubPause = Interval.seconds(24 * 60 * 60)
    /// Dials under way.
    package var dials = 16
    /// Dials per second to devices that are not known to share a conversation.
    package var strangerDialsPerSecond = 5
    /// Addresses in the address book.
    package var addresses = 1_024
    /// Remembered names of members' devices, half of them only for members that share more than
    /// open conversations.
    package var deviceNames = 4_096

    /// Announced envelopes of a peer that may be missing here: 585 as a rule.
    ///
    /// A device may have a second link for a moment.
    package var namesPerLink: Int {
        max(16, min(8_192, announcedBytes / announcedBytesPerName))
    }

    /// The memory for one announced envelope on each link.
    package var announcedBytesPerName: Int {
        2 * links * (Self.wantBytes + Self.missingBytes)
    }

    package init() {}
}
