import ParleyCore

/// A message that offers a file, as far as transfers are concerned.
struct FileOffer: Sendable, Equatable {
    let session: SessionID
    let file: FileInfo
    let conversation: UInt32
    /// The name of the conversation on this node.
    let conversationName: String
    let tag: SessionTag
    /// The device that has the file.
    let author: DeviceID
    let isMine: Bool

    /// The value for people and programs.
    func transfer(
        _ state: FileTransfer.State = .offered,
        done: Int = 0,
        rate: Int? = nil,
        reason: String? = nil
    ) -> FileTransfer {
        FileTransfer(
            conversation: conversationName,
            session: session,
            file: file,
            state: state,
            done: state == .here ? file.bytes : done,
            rate: rate,
            reason: reason,
            isMine: isMine
        )
    }
}
