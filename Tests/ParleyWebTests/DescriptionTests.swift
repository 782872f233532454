import Foundation
import ParleyAPI
import ParleyWeb
import ParleyNode
import Testing

/// The documents of the control API are those that `docs/openapi.yaml` describes.
@Suite struct DescriptionTests {
    /// The documents by the names of their schemas.
    private static let documents: [String: any (Codable & Sendable).Type] = [
        "Absence": Absence.self,
        "App": AppDocument.self,
        "CheckedFile": CheckedFileDocument.self,
        "Conflict": Conflict.self,
        "Conversation": Conversation.self,
        "Discovery": DiscoveryStatus.self,
        "Reaction": ReactionDocument.self,
        "Addition": Addition.self,
        "Edit": EditDocument.self,
        "Match": Match.self,
        "Entry": TranscriptEntry.self,
        "Field": FieldDocument.self,
        "FieldUse": FieldRequest.self,
        "FileInfo": FileInfo.self,
        "FileTransfer": FileTransfer.self,
        "Guest": GuestDocument.self,
        "GuestName": GuestNameDocument.self,
        "GuestPlace": GuestPlaceDocument.self,
        "Guests": GuestsDocument.self,
        "GuestsRequest": GuestsRequest.self,
        "Invite": Invite.self,
        "InviteDetail": InviteDetail.self,
        "KeyChange": KeyChange.self,
        "Member": Member.self,
        "Layout": ContentLayout.self,
        "ListedDevice": ListedDevice.self,
        "ListRequest": ListRequest.self,
        "Live": LiveDocument.self,
        "LostDevice": LostDevice.self,
        "LostPlace": LostPlace.self,
        "MatchDetail": MatchDetail.self,
        "Page": PageDocument.self,
        "PageConversation": PageConversationDocument.self,
        "PageEntries": PageEntriesDocument.self,
        "PageEntry": PageEntryDocument.self,
        "PageLink": PageLinkDocument.self,
        "PageSession": PageSessionDocument.self,
        "Pairing": PairingDocument.self,
        "PairRequest": PairRequest.self,
        "Person": PersonOfDevice.self,
        "PersonDevices": PersonDocument.self,
        "Panel": PanelDocument.self,
        "Peer": Peer.self,
        "Place": PlaceDocument.self,
        "Problem": Problem.self,
        "RepairRequest": RepairRequest.self,
        "Screen": ScreenDocument.self,
        "SearchHit": SearchHit.self,
        "SearchResult": SearchResult.self,
        "Send": SendDocument.self,
        "Sender": Participant.self,
        "Sent": SentMessage.self,
        "Session": SessionDetail.self,
        "SpaceRequest": SpaceRequest.self,
        "StagedSticker": StagedStickerDocument.self,
        "Status": NodeStatus.self,
        "Summary": Summary.self,
        "TakenText": TakenTextDocument.self,
        "Transcript": TranscriptPage.self,
        "Use": AppRequest.self,
        "View": ViewDocument.self,
    ]

    /// The path of a picture, which only the command reads, and what a host has its node seal.
    private static let undescribed: Set = ["image", "sealing"]
    /// What cannot be opened has no content.
    private static let contradicting: Set = ["unreadable"]

    /// What the description says can be read, and is written as it was, with every field.
    @Test func everyFieldIsReadAndWritten() throws {
        let description = try APIDescription()
        for (name, type) in Self.documents {
            let example = try description.example(of: name, absent: Self.contradicting)
            let (document, written) = try Self.copy(example, type)
            #expect(written as NSDictionary == example as NSDictionary, "\(name)")
            let fields: any Sendable = (document as? SendDocument)?.fields ?? document
            // Regression: `Status` had two fields that the description lacked.
            for field in Mirror(reflecting: fields).children {
                let value = Mirror(reflecting: field.value)
                guard value.displayStyle == .optional, value.children.isEmpty else { continue }
                let isLeftOut = Self.undescribed.union(Self.contradicting).contains(
                    field.label ?? ""
                )
                #expect(isLeftOut, "\(name).\(field.label ?? "")")
            }
        }
    }

    /// A document can be read without a field if the description does not require it.
    @Test func onlyWhatIsRequiredIsNeeded() throws {
        let description = try APIDescription()
        for (name, type) in Self.documents {
            let example = try description.example(of: name, absent: Self.contradicting)
            for (field, property) in try description.properties(of: name) {
                var part = example
                part[field] = nil
                let isNeeded = (try? Self.copy(part, type)) == nil
                #expect(isNeeded == property.isRequired, "\(name).\(field)")
            }
        }
    }

    /// The description alone says what is in these, which are within others.
    @Test func eachSchemaIsCompared() throws {
        let parts: Set = [
            "Address", "DialFailure", "FileState", "Interface", "MatchFault", "MessageID", "Name",
            "NamedSticker", "Picture",
            "Role", "Store", "Stroke", "Visit",
        ]
        let compared = Set(Self.documents.keys)
        #expect(Set(try APIDescription().schemas.keys) == compared.union(parts))
    }

    /// A kind of problem with which a node answers has its status in the description.
    @Test func eachProblemOfANodeIsListed() throws {
        let properties = try APIDescription().properties(of: "Problem")
        let kind = try #require(properties["error"]?.schema as? [String: Any])
        let text = try #require(kind["description"] as? String)
        let listed = Set(text.split { !$0.isLetter }.map(String.init))
        for problem in ProblemTests.input + ProblemTests.refusals {
            #expect(listed.contains(problem.problem.rawValue), "\(problem.problem.rawValue)")
        }
    }

    private static func copy(
        _ object: [String: Any],
        _ type: (some Codable & Sendable).Type
    ) throws -> (any Sendable, [String: Any]) {
        let document = try JSON.decode(type, from: JSONSerialization.data(withJSONObject: object))
        let written = try JSONSerialization.jsonObject(with: try JSON.encode(document))
        return (document, try #require(written as? [String: Any]))
    }
}
