import Foundation
import ParleyAPI
import Testing
import Yams

/// The documents of the control API have the fields that `docs/openapi.yaml` describes.
@Suite struct DescriptionTests {
    /// A document and its schema.
    struct Described: Sendable, CustomTestStringConvertible {
        /// The name of the schema, and the properties that lead to a schema within it.
        let schema: [String]
        let document: any Sendable
        /// Fields that are not in responses and requests, or have another name there.
        let renamed: [String: String?]

        var testDescription: String { schema.joined(separator: ".") }

        init(
            _ schema: String...,
            as document: any Sendable,
            renamed: [String: String?] = [:]
        ) {
            self.schema = schema
            self.document = document
            self.renamed = renamed
        }

        /// The names of the fields, with whether they may be absent.
        var fields: [String: Bool] {
            var fields: [String: Bool] = [:]
            for child in Mirror(reflecting: document).children {
                guard let label = child.label,
                    let name = renamed[label, default: label]
                else { continue }
                fields[name] = Mirror(reflecting: child.value).displayStyle == .optional
            }
            return fields
        }
    }

    private static let sender = SenderDocument(device: "D", participant: "P")
    private static let entry = EntryDocument(
        kind: "message",
        session: "S",
        id: "I",
        revision: 1,
        sender: sender,
        sentAt: .now
    )
    private static let discovery = DiscoveryDocument(state: "published", name: "N", detail: "D")
    private static let app = AppDocument(id: "a", name: "A")

    static let nodes: [Described] = [
        Described(
            "Status",
            as: StatusDocument(
                device: "D",
                name: "N",
                version: "1",
                addresses: [],
                links: 0,
                conversations: 0,
                sessions: 0,
                store: StoreDocument(state: "full", detail: "D"),
                discovery: discovery,
                envelopesReceived: 0,
                envelopesSent: 0,
                copy: "A",
                previousDevice: "P",
                clock: "C",
                relay: false
            )
        ),
        Described(
            "Peer",
            as: PeerDocument(
                device: "D",
                state: "S",
                address: "A",
                addresses: [],
                conversations: [],
                full: [],
                queue: 0
            )
        ),
        Described("Store", as: StoreDocument(state: "ok", detail: "D")),
        Described("Discovery", as: discovery),
        Described("Interface", as: InterfaceDocument(name: "N")),
        Described("Visit", as: VisitDocument(address: "A", at: 0)),
        Described("Address", as: AddressDocument(address: "A")),
        Described("DialFailure", as: DialFailureDocument(reason: "R", dials: 1, at: 0)),
        Described("Sender", as: sender),
        Described(
            "Conversation",
            as: ConversationDocument(name: "N", id: "I", role: "R", open: false, participants: [])
        ),
        Described("Invite", as: InviteDocument(invite: "L", role: "R", conversation: "C")),
        Described(
            "Pairing",
            as: PairingDocument(id: "I", device: "D", stage: "waiting", ended: false)
        ),
        Described("PairRequest", as: PairRequest(device: "D")),
        Described(
            "ListedDevice",
            as: ListedDeviceDocument(device: "D", name: "N", list: "blocked")
        ),
        Described("ListRequest", as: ListRequest(device: "D", list: "blocked")),
        Described("RepairRequest", as: RepairRequest()),
        Described("Problem", as: Problem(.usage, "M"), renamed: ["kind": "error"]),
    ]

    static let messages: [Described] = [
        // A client reads the picture from its file and sends the bytes.
        Described("Send", as: SendDocument(), renamed: ["image": nil]),
        Described(
            "Sent",
            as: SentDocument(session: "S", id: "I", revision: 1, state: "stored", nodes: 0)
        ),
        Described("Entry", as: entry),
        Described("Entry", "placement", as: PlacementDocument(message: "M", x: 0, y: 0)),
        Described("Layout", as: LayoutDocument()),
        Described(
            "Layout",
            "image",
            as: ImageDocument(sha256: "H", type: "T", bytes: 1, here: true)
        ),
        Described(
            "Session",
            as: SessionDocument(
                conversation: "C",
                session: "S",
                shown: entry,
                others: [],
                replaced: []
            )
        ),
        Described(
            "Conflict",
            as: ConflictDocument(conversation: "C", session: "S", shown: entry, others: [])
        ),
    ]

    static let apps: [Described] = [
        Described("App", as: app),
        Described("Use", as: AppRequest(.open)),
        Described(
            "Screen",
            as: ScreenDocument(
                serial: 1,
                app: app,
                conversation: "C",
                version: 1,
                text: "T",
                actions: [],
                typed: "",
                items: 0,
                bubbles: []
            )
        ),
        Described(
            "Screen",
            "actions",
            as: ScreenDocument.Action(number: 1, node: "N", kinds: [])
        ),
        Described("NamedSticker", as: ScreenDocument.Sticker(id: "S", description: "D")),
        Described("Screen", "draft", as: ScreenDocument.StagedDraft(line: "L")),
        Described(
            "Screen",
            "bubbles",
            as: ScreenDocument.Bubble(
                kind: "message",
                id: "I",
                session: "S",
                sender: sender,
                mine: true,
                line: "L"
            )
        ),
    ]

    private static let pageEntry = PageEntryDocument(
        kind: "message",
        session: "S",
        id: "I",
        revision: 1,
        mine: true,
        sender: sender,
        sentAt: .now,
        content: "text",
        line: "L"
    )

    static let pages: [Described] = [
        Described("PageLink", as: PageLinkDocument(link: "L")),
        Described(
            "Page",
            as: PageDocument(
                event: "E",
                device: "D",
                name: "N",
                version: "1",
                conversations: [],
                apps: [],
                nearby: [],
                discovery: discovery,
                peers: [],
                pairings: [],
                panels: [],
                fields: []
            )
        ),
        Described(
            "PageConversation",
            as: PageConversationDocument(
                name: "N",
                id: "I",
                role: "R",
                open: false,
                me: "P",
                participants: []
            )
        ),
        Described(
            "PageConversation",
            "participants",
            as: PageConversationDocument.Member(participant: "P", device: "D", presence: "away")
        ),
        Described("PageEntry", as: pageEntry),
        Described(
            "PageEntry",
            "picture",
            as: PageEntryDocument.Picture(url: "U", type: "T", bytes: 1, here: true)
        ),
        Described(
            "PageEntry",
            "file",
            as: PageEntryDocument.File(url: "U", name: "N", type: "T", bytes: 1, here: true)
        ),
        Described("PageEntry", "delivery", as: PageEntryDocument.Delivery(nodes: 1, of: 2)),
        Described(
            "PageEntry",
            "stickers",
            as: StickerDocument(id: "S", src: "U", description: "D", x: 0, y: 0)
        ),
        Described(
            "Place",
            as: PlaceDocument(app: "a", sticker: "S", message: "M", x: 0, y: 0)
        ),
        Described("PageEntries", as: PageEntriesDocument(event: "E", entries: [], next: "C")),
        Described("Transcript", as: TranscriptDocument(entries: [], next: "C")),
        Described(
            "PageSession",
            as: PageSessionDocument(shown: pageEntry, others: [], replaced: [])
        ),
        Described("Panel", as: PanelDocument(app: app, conversation: "C", serial: 1, version: 1)),
        Described(
            "View",
            as: ViewDocument(
                id: "root",
                kind: "text",
                label: nil,
                enabled: true,
                takes: [],
                children: []
            )
        ),
        Described(
            "Live",
            as: LiveDocument(
                conversation: "C",
                message: "M",
                serial: 1,
                version: 1,
                width: 1,
                height: 1
            )
        ),
        Described("Stroke", as: StrokeDocument(points: [], width: 1)),
        Described("Field", as: FieldDocument(conversation: "C", parts: [])),
        Described(
            "Field",
            "parts",
            as: FieldDocument.Part(app: "a", appName: "A", items: 0)
        ),
        Described(
            "StagedSticker",
            as: StagedStickerDocument(id: "S", src: "U", description: "D")
        ),
        Described("FieldUse", as: FieldRequest(.send)),
        Described("TakenText", as: TakenTextDocument(text: "T")),
        Described(
            "CheckedFile",
            as: CheckedFileDocument(picture: true, metadata: true, note: nil)
        ),
    ]

    /// A field without a key would be neither sent nor read, and nobody would notice.
    @Test func everyFieldOfAMessageHasAKey() {
        let fields = Mirror(reflecting: SendDocument()).children.compactMap(\.label)
        #expect(Set(fields) == Set(SendDocument.CodingKeys.allCases.map(\.stringValue)))
    }

    /// Regression: `Status` had two fields that the description lacked.
    @Test(arguments: nodes + messages + apps + pages)
    func theFieldsAreThoseOfTheDescription(described: Described) throws {
        let schema = try Self.schema(described.schema)
        let properties = try #require(schema["properties"] as? [String: Any])
        #expect(Set(properties.keys) == Set(described.fields.keys))
        let required = Set(schema["required"] as? [String] ?? [])
        #expect(required == Set(described.fields.filter { !$0.value }.keys))
    }

    /// A new schema must have a line in a table above.
    @Test func eachSchemaIsCompared() throws {
        let all = Self.nodes + Self.messages + Self.apps + Self.pages
        let compared = Set(all.compactMap(\.schema.first))
        let texts: Set = ["Name", "Role", "MessageID"]
        #expect(Set(try Self.schemas().keys) == compared.union(texts))
    }

    /// A kind of problem with which a node answers has its status in the description.
    @Test func eachProblemOfANodeIsListed() throws {
        let schema = try Self.schema(["Problem"])
        let properties = try #require(schema["properties"] as? [String: [String: Any]])
        let text = try #require(properties["error"]?["description"] as? String)
        let listed = Set(text.split { !$0.isLetter }.map(String.init))
        for problem in ProblemTests.input + ProblemTests.refusals {
            #expect(listed.contains(problem.problem.rawValue), "\(problem.problem.rawValue)")
        }
    }

    private static func schema(_ path: [String]) throws -> [String: Any] {
        let name = try #require(path.first)
        var schema = try #require(try schemas()[name] as? [String: Any])
        for name in path.dropFirst() {
            let properties = try #require(schema["properties"] as? [String: [String: Any]])
            let property = try #require(properties[name])
            schema = property["items"] as? [String: Any] ?? property
        }
        return schema
    }

    private static func schemas() throws -> [String: Any] {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../docs/openapi.yaml")
        let text = try String(contentsOf: file, encoding: .utf8)
        let document = try #require(try Yams.load(yaml: text) as? [String: Any])
        let components = try #require(document["components"] as? [String: Any])
        return try #require(components["schemas"] as? [String: Any])
    }
}
