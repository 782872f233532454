package import ParleyCore

/// A message that offers a file, as far as transfers are concerned.
package struct FileOffer: Sendable, Equatable {
    package let session: SessionID
    let file: FileInfo
    let conversation: UInt32
    /// The name of the conversation on this node.
    let conversationName: String
    let tag: SessionTag
    /// The device that has the file.
    package let author: DeviceID
    let isMine: Bool

    package init(
        session: SessionID,
        file: FileInfo,
        conversation: UInt32,
        conversationName: String,
        tag: SessionTag,
        author: DeviceID,
        isMine: Bool
    ) {
        self.session = session
        self.file = file
        self.conversation = conversation
        self.conversationName = conversationName
        self.tag = tag
        self.author = author
        self.isMine = isMine
    }

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
