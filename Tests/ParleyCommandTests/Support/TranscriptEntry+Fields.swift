import ParleyAPI

/// The fields of an entry as they stand in JSON.
extension TranscriptEntry {
    var isMessage: Bool { message != nil }
    var session: SessionID { summary.session }
    var id: MessageID { summary.id }
    var summaryText: String? { summary.summaryText }
    var url: String? { message?.content?.url }
    var layout: ContentLayout? { message?.content?.layout }
}
