import Messages

/// People build a sundae together: anybody in the conversation adds the next part.
public final class IceCreamBuilder: MSMessagesAppViewController {
    /// The message whose sundae is shown; nil for a new sundae.
    private var message: MSMessage?
    /// The message before the draft.
    private var before: MSMessage?
    private var isBuilding = false
    private var note = ""
    private lazy var shelf = Shelf(folder: documentsDirectory)

    private var sundae: Sundae { Sundae(message: message) ?? Sundae() }
    private var isWaitingForSend: Bool { message?.isPending == true }

    // MARK: Events

    /// The app was opened, perhaps by tapping a message.
    public override func willBecomeActive(with conversation: MSConversation) {
        if let selected = conversation.selectedMessage { show(selected) }
    }

    /// Another message was tapped.
    public override func didSelect(_ message: MSMessage, conversation: MSConversation) {
        show(message)
    }

    /// Somebody has added a part to a sundae.
    public override func didReceive(_ message: MSMessage, conversation: MSConversation) {
        guard let sundae = Sundae(message: message) else { return }
        shelf.put(sundae)
        guard message.session == self.message?.session else { return }
        let wasWaiting = isWaitingForSend
        show(message)
        if wasWaiting { note = "Somebody was faster. Remove your draft, and go on from here." }
    }

    /// The part is on its way.
    public override func didStartSending(_ message: MSMessage, conversation: MSConversation) {
        before = nil
        show(message)
    }

    /// The part was removed from the input field.
    public override func didCancelSending(_ message: MSMessage, conversation: MSConversation) {
        // Another message is shown if somebody was faster.
        if message.url == self.message?.url { self.message = before }
        before = nil
        note = ""
    }

    private func show(_ message: MSMessage) {
        guard let sundae = Sundae(message: message) else {
            note = "There is no sundae in this message that I know how to make."
            return
        }
        self.message = message
        isBuilding = true
        note = ""
        if !message.isPending { shelf.put(sundae) }
    }

    // MARK: Actions

    private func startAnew() {
        guard !isWaitingForSend else { return requestPresentationStyle(.expanded) }
        message = nil
        isBuilding = true
        note = ""
        requestPresentationStyle(.expanded)
    }

    private func add(_ choice: Sundae) {
        guard let conversation = activeConversation, !isWaitingForSend else { return }
        let session = message?.session ?? MSSession()
        let me = conversation.localParticipantIdentifier
        before = message
        let next = choice.message(in: session, from: me)
        message = next
        conversation.insert(next)
    }

    private func insertSticker(of sundae: Sundae) {
        guard let sticker = shelf.sticker(sundae) else { return }
        activeConversation?.insert(sticker)
    }

    private func insertPicture(of sundae: Sundae) {
        guard let sticker = shelf.sticker(sundae) else { return }
        activeConversation?.insertAttachment(
            sticker.imageFileURL,
            withAlternateFilename: sundae.parts.joined(separator: ", ") + ".png"
        )
    }

    // MARK: Views

    /// The history in compact style; in expanded style the sundae that is being built, if there is
    /// one.
    public override var body: ParleyView {
        if presentationStyle == .compact || !isBuilding { return history }
        return sundae.isFinished && !isWaitingForSend ? finished : builder
    }

    private var history: ParleyView {
        .column {
            ParleyView.row {
                ParleyView.text("Sundaes", style: .title)
                ParleyView.spacer
                ParleyView.button("Add a sundae") { self.startAnew() }.id("add").prominent()
            }
            if !note.isEmpty { ParleyView.text(note, style: .caption) }
            if isBuilding, !sundae.isFinished {
                ParleyView.text(
                    isWaitingForSend
                        ? "Press Send to pass your sundae on."
                        : "One is being built. Expand to help.",
                    style: .caption
                )
            }
            if shelf.sundaes.isEmpty {
                ParleyView.text(
                    "Build one with your friends: a base, scoops, and something on top."
                )
                ParleyView.row {
                    for base in Base.allCases {
                        if let picture = Sundae(base: base).icon { ParleyView.image(picture) }
                    }
                }
            } else {
                ParleyView.text(
                    "Made here. Tap one to send it or to put it on a message.",
                    style: .caption
                )
                ParleyView.grid(columns: 3) {
                    for sundae in shelf.sundaes {
                        if let sticker = shelf.sticker(sundae) {
                            ParleyView.sticker(sticker) { self.insertSticker(of: sundae) }
                                .id(sundae.parts.joined(separator: "-"))
                        } else if let picture = sundae.picture {
                            ParleyView.image(picture).accessibilityLabel(
                                "A sundae: \(sundae.spoken)"
                            )
                        }
                    }
                }.id("shelf")
            }
        }
    }

    private var builder: ParleyView {
        .column {
            ParleyView.text(heading, style: .title)
            if !note.isEmpty { ParleyView.text(note, style: .caption) }
            if !sundae.parts.isEmpty, let picture = sundae.picture {
                ParleyView.image(picture).id("sundae").accessibilityLabel(
                    "The sundae: \(sundae.spoken)"
                )
            }
            if let step = sundae.nextStep, !isWaitingForSend {
                let choices = step.choices(for: sundae)
                ParleyView.grid(columns: choices.count == 4 ? 2 : 3) {
                    for choice in choices {
                        ParleyView.button(choice.parts.last ?? "") {
                            self.add(choice)
                        } label: {
                            if let icon = choice.icon { ParleyView.image(icon) }
                        }
                        .id(choice.parts.last ?? "")
                    }
                }
                .id(step.rawValue)
            }
        }
    }

    private var heading: String {
        if isWaitingForSend { return "Looking good! Press Send." }
        return sundae.nextStep?.invitation ?? ""
    }

    private var finished: ParleyView {
        .column {
            ParleyView.spacer
            ParleyView.text("A sundae is ready!", style: .title)
            ParleyView.text(sundae.parts.joined(separator: " · "), style: .caption)
            if let picture = sundae.picture {
                ParleyView.image(picture).id("sundae").accessibilityLabel(
                    "The sundae: \(sundae.spoken)"
                )
            }
            if !note.isEmpty { ParleyView.text(note) }
            ParleyView.row {
                ParleyView.button("Send it as a sticker") { self.insertSticker(of: self.sundae) }
                    .id("sticker").prominent()
                ParleyView.button("Send a picture") { self.insertPicture(of: self.sundae) }
                    .id("send-picture")
                ParleyView.button("Build another") { self.startAnew() }.id("add")
            }.id("actions")
            ParleyView.spacer
        }
    }
}
