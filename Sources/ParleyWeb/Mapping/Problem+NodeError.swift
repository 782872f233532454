import Foundation
package import ParleyAPI
package import ParleyNode

extension Problem {
    /// Describes an error of the node, and names the objects that the error has.
    package init(_ error: NodeError) {
        self.init(ofInput: error)
        switch error {
        case .unknownConversation(let name), .unreadable(let name), .nameTaken(let name),
            .readOnly(let name, _), .alreadyJoined(let name, _), .onlyCopies(let name, _),
            .keys(let name, _):
            conversation = name
        case .unknownSession(let text), .noOffer(let text): session = text
        case .unknownMessage(let text): id = text
        case .notYetDelivered(let sent, _, _, _):
            session = sent.session.description
            id = sent.id.description
        default: break
        }
    }

    private init(ofInput error: NodeError) {
        switch error {
        case .unknownConversation(let name):
            self.init(
                .unknownConversation,
                "This node has no conversation called \(name.quoted).",
                hint: "See: parley conversation list"
            )
        case .unknownSession(let session):
            self.init(
                .unknownSession,
                "This node has no session \(session).",
                hint: Problem.sessionsHint
            )
        case .unknownMessage(let id):
            self.init(.unknownMessage, "There is no message \(id) in that session.")
        case .noOffer(let session):
            self.init(.noOffer, "The message of session \(session) offers no file.")
        case .badInvite(let reason, let hint): self.init(.badInvite, reason, hint: hint)
        case .badName(let reason):
            self.init(.badName, reason, hint: "Choose a name that people can see, such as lobby.")
        case .badSetting(let reason): self.init(.badSetting, Self.sentence("\(reason)."))
        case .badDraft(let reason): self.init(.badDraft, Self.sentence("\(reason)."))
        case .tooLarge(let what, let size, let limit):
            let unit = NodeError.unit(of: what)
            self.init(
                .tooLarge,
                Self.sentence("\(what) has \(size) \(unit); at most \(limit) are allowed."),
                hint: "Make it shorter and send again."
            )
        default: self.init(ofRefusal: error)
        }
    }

    /// A text that begins with a capital letter.
    private static func sentence(_ text: String) -> String {
        text.prefix(1).uppercased() + text.dropFirst()
    }

    private init(ofRefusal error: NodeError) {
        switch error {
        case .stale(let heads):
            self.init(
                .stale,
                "The session was replaced in the meantime; its heads are "
                    + heads.map(\.description).joined(separator: ", ") + ".",
                hint: "Look at it with parley show, then send without --replacing."
            )
        case .notYourTurn(let next):
            self.init(
                .notYourTurn,
                "It is the turn of "
                    + next.map(\.uuidString).joined(separator: ", ") + "."
            )
        case .notPlayable(let fault): self.init(.notPlayable, fault.description, hint: fault.hint)
        case .readOnly(let name, let isRelay):
            self.init(
                .readOnly,
                "This node does not have that role in \(name.quoted).",
                hint: isRelay
                    ? "It was started with --relay: use a node that was invited as a writer."
                    : "Leave it, then join with an invite for a writer."
            )
        case .keys(let name, let fault): self = fault.problem(of: name.quoted)
        case .onlyCopies(let name, let messages):
            let (subject, verb) = messages == 1 ? ("message", "is") : ("messages", "are")
            self.init(
                .onlyCopies,
                "\(messages) \(subject) of this node in \(name.quoted) \(verb) on no other node, "
                    + "as far as this one knows.",
                hint: "Wait until parley peers shows a node that shares it as connected, or lose "
                    + "what only this node has with --force."
            )
        case .sessionFull:
            self.init(
                .sessionFull,
                "The session has reached a limit: too many devices or messages.",
                hint: "Begin a new session, which parley send does without --session."
            )
        case .conversationFull(let name, let share): self.init(share, of: name.quoted)
        case .unreadable(let name):
            self.init(
                .unreadable,
                "This node relays \(name.quoted) and cannot read it.",
                hint: "Ask a node that was invited as a reader or writer."
            )
        case .relayOnly:
            self.init(
                .relayOnly,
                "This node is a relay: it creates no conversation, and accepts relay invites only.",
                hint: "Ask a member of the conversation: parley invite NAME --role relay makes one."
            )
        default: self.init(ofPairing: error)
        }
    }

    private init(_ share: KeptShare, of name: String) {
        let sentence: String
        switch share {
        case .conversation:
            sentence = "\(name) has as many messages as this node keeps of a conversation."
        case .openConversations:
            sentence =
                "\(name) and all other open conversations have as many messages as this node keeps."
        case .allConversations(let messages, let bytes):
            self.init(
                .storeFull,
                "All conversations together have as many messages as this node keeps "
                    + "(\(messages), or \(bytes >> 20) MiB). Sessions that are here go on.",
                hint: "Leave one that nobody needs (parley conversation list shows their sizes), "
                    + "or raise quotas.all-conversations and start the node again."
            )
            return
        case .device(let messages, let bytes):
            sentence =
                "This device has as many messages in \(name) as one device may have there "
                + "(\(messages), or \(bytes >> 20) MiB). Others can go on."
        case .devices:
            sentence = "As many devices have written in \(name) as this node keeps."
        }
        self.init(
            .conversationFull,
            sentence,
            hint: "Begin a new conversation: parley conversation create NAME"
        )
    }

    private init(ofPairing error: NodeError) {
        switch error {
        case .unknownDevice(let text):
            self.init(
                .unknownDevice,
                "No device called \(text.quoted) is nearby.",
                hint: "See who is, with their names and IDs: parley nearby"
            )
        case .ambiguousDevice(let text, let devices):
            self.init(
                .ambiguousDevice,
                "\(text.quoted) may be any of these devices: "
                    + devices.map { String($0.prefix(7)) }.joined(separator: ", ") + ".",
                hint: "Use the beginning of the device ID instead."
            )
        case .unknownPairing:
            self.init(.unknownPairing, "There is no such pairing.", hint: "Start it anew.")
        case .tooManyGuests(let limit):
            self.init(
                .tooManyGuests,
                "All \(limit) seats for guests are taken.",
                hint: "Remove a guest, or allow more with parley guests CONVERSATION --seats N."
            )
        case .unknownGuest:
            self.init(
                .unknownGuest,
                "There is no such guest here.",
                hint: "parley guests CONVERSATION --list names them."
            )
        case .pairingUnderWay(let name):
            self.init(
                .pairingUnderWay,
                "You are pairing with \(name.quoted) at the moment.",
                hint: "Finish or cancel that first."
            )
        case .tooManyTries(let device, let seconds):
            self.init(
                .tooManyTries,
                "\(device.quoted) was tried three times within ten minutes.",
                hint: "Try again in \((seconds + 59) / 60) min, or pass a link: parley invite NAME"
            )
        case .pairedOtherwise(let name, let isOwn):
            self.init(
                .pairedOtherwise,
                isOwn
                    ? "\(name.quoted) asks to be linked as another device of yours."
                    : "\(name.quoted) asks to pair, not to be linked as your own device.",
                hint: isOwn
                    ? "If it is yours: parley person link \(name). If not, say no on the page."
                    : "Answer with parley pair \(name), or say over there that it is your own."
            )
        case .nothingToCompare:
            self.init(
                .nothingToCompare,
                "There are no digits to compare in this pairing.",
                hint: "Wait for the other person, or start it anew."
            )
        default: self.init(ofCreation: error)
        }
    }

    /// A number of bytes for people.
    private static func size(_ bytes: Int) -> String {
        let units = ["bytes", "KB", "MB", "GB", "TB", "PB"]
        var (size, unit) = (Double(bytes), 0)
        while size >= 1_000, unit + 1 < units.count {
            size /= 1_000
            unit += 1
        }
        let number = unit > 0 && size < 100 ? (size * 10).rounded(.up) / 10 : size.rounded(.up)
        return number == number.rounded()
            ? "\(Int(number)) \(units[unit])" : "\(number) \(units[unit])"
    }

    private init(ofCreation error: NodeError) {
        switch error {
        case .nameTaken(let name):
            self.init(
                .nameTaken,
                "A conversation is called \(name.quoted) here already.",
                hint: "Choose another name."
            )
        case .alreadyJoined(let name, let role):
            self.init(
                .alreadyJoined,
                "This node is in the conversation already, as \(name.quoted) (\(role.rawValue)).",
                hint: "For another role, leave it, then join again."
            )
        case .tooManyConversations(let limit):
            self.init(.tooManyConversations, "A node has at most \(limit) conversations.")
        case .notLetIn(let inviter, let end): self.init(end, of: inviter)
        case .tooManyInvites(let limit):
            let sentence = "\(limit) invites of this node are open."
            let hint = "Revoke one that nobody needs: parley invite list"
            self.init(.tooManyInvites, sentence, hint: hint)
        case .unknownInvite(let number):
            let sentence = "This node has no invite \(number) that ends."
            self.init(.unknownInvite, sentence, hint: "See: parley invite list")
        case .dataDirectoryInUse(let path, let process):
            self.init(
                .dataDirectoryInUse,
                "\(path) is in use\(process.map { " by process \($0)" } ?? "").",
                hint: "Stop that node, or choose another directory with --data."
            )
        case .dataDirectoryUnusable(_, let reason, let hint):
            self.init(.dataDirectoryUnusable, reason, hint: hint)
        case .portInUse(let port):
            self.init(
                .portInUse,
                "Port \(port) is in use.",
                hint: "Choose another one with --listen HOST:PORT."
            )
        case .notListening(let reason):
            let sentence = "The node cannot listen: \(reason)."
            self.init(.notListening, sentence, hint: "Check --listen.")
        case .notYetDelivered(let sent, let wanted, let linked, let full):
            self.init(
                .notYetDelivered,
                "Message \(sent.id) of session \(sent.session) is stored here and on "
                    + "\(sent.nodes) other \(sent.nodes == 1 ? "device" : "devices"), while "
                    + "\(wanted) \(wanted == 1 ? "was" : "were") asked for and \(linked) "
                    + "\(linked == 1 ? "is" : "are") linked.",
                hint: full > 0
                    ? "No space for new sessions on \(full) of the linked ones, which parley peers "
                        + "names: it waits here until there is some."
                    : "It goes to others once they are linked, also through other nodes."
            )
        case .stopped:
            self.init(.stopped, "The node is stopping.", hint: "Start it with: parley node")
        default: self.init(ofDisk: error)
        }
    }

    private init(_ end: InviteEnd, of inviter: String) {
        let askAnew = "Ask \(inviter) for a new one."
        switch end {
        case .ended: self.init(.inviteOver, "This invite has ended.", hint: askAnew)
        case .usedUp:
            let sentence = "As many devices came by this invite as may."
            self.init(.inviteOver, sentence, hint: askAnew)
        case .revoked:
            self.init(.inviteOver, "\(inviter) has revoked this invite.", hint: askAnew)
        case .unknown:
            self.init(.inviteOver, "\(inviter) has no such invite any more.", hint: askAnew)
        case .later:
            self.init(.tooManyTries, "There were too many tries.", hint: "Try again in a minute.")
        case .unanswered:
            self.init(
                .noAnswer,
                "The machine of \(inviter) does not answer; it has to be up for this link.",
                hint: "Try again once it is up, in the same network."
            )
        }
    }

    private init(ofDisk error: NodeError) {
        switch error {
        case .storeFull:
            self.init(
                .storeFull,
                "Too little space is left on the disk.",
                hint: "Free some: parley status says how much. The node then continues by itself."
            )
        case .noSpace(let missing):
            self.init(
                .noSpace,
                "The disk has too little space for the file: \(Self.size(missing)) are missing.",
                hint: "Free some and try again. Part of the disk stays free for messages."
            )
        case .tooManyFiles(let limit):
            self.init(
                .tooManyFiles,
                "This node has \(limit) files under way or kept already, and takes no more.",
                hint: "Try again later, or take files back and decline some: parley files"
            )
        case .storeFailed(let reason): self.init(.storeFailed, reason)
        default: self.init(.internal, "\(error)")
        }
    }
}
