import Foundation
import Messages
import SampleIconCatalogue

/// A small store: pick an icon to show it to the others, tap a message to read about its icon.
public final class IconStore: MSMessagesAppViewController {
    /// The item whose page is open; nil for the catalogue.
    private var offer: Offer?
    private var note = ""
    /// The item in the input field.
    private var picked: String?

    // MARK: Events

    /// The app was opened; if a message was tapped, the page of its item opens.
    public override func willBecomeActive(with conversation: MSConversation) {
        open(conversation.selectedMessage)
    }

    /// Another message was tapped.
    public override func didSelect(_ message: MSMessage, conversation: MSConversation) {
        open(message)
    }

    /// Collapsing closes the page.
    public override func didTransition(to presentationStyle: MSMessagesAppPresentationStyle) {
        if presentationStyle == .compact { offer = nil }
    }

    /// The item is on its way.
    public override func didStartSending(_ message: MSMessage, conversation: MSConversation) {
        note = "The others see it now."
        picked = nil
    }

    /// The item was removed from the input field.
    public override func didCancelSending(_ message: MSMessage, conversation: MSConversation) {
        note = ""
        picked = nil
    }

    private func open(_ message: MSMessage?) {
        guard let message else { return }
        offer = Offer(message: message)
        note = offer == nil ? "The store has no such item." : ""
    }

    // MARK: Actions

    private func pick(_ item: Item) {
        if presentationStyle == .compact { return stage(Offer(item)) }
        offer = Offer(item)
        note = ""
    }

    private func stage(_ offer: Offer) {
        // Each item that is shown to the others is a message of its own.
        activeConversation?.insert(offer.message(in: MSSession()))
        picked = offer.id
        note = "Press Send to show “\(offer.name)” to the others."
    }

    // MARK: Views

    /// The catalogue, or the page of an item.
    public override var body: ParleyView {
        if let offer { page(offer) } else { catalogue }
    }

    private var catalogue: ParleyView {
        .column {
            ParleyView.text(note.isEmpty ? "Pick one to show it to the others." : note).id("note")
            ParleyView.spacer
            ParleyView.grid(columns: 3) {
                for item in Catalogue.items {
                    ParleyView.button("") {
                        self.pick(item)
                    } label: {
                        if let icon = UIImage(data: Data(item.svg(side: 96).utf8)) {
                            ParleyView.image(icon)
                        }
                        ParleyView.text(item.name)
                    }
                    .id(item.id).prominent(item.id == picked)
                    .accessibilityLabel(item.id == picked ? "\(item.name), picked" : item.name)
                }
            }.id("items")
            ParleyView.spacer
        }
    }

    private func page(_ offer: Offer) -> ParleyView {
        .column {
            ParleyView.spacer
            ParleyView.text(offer.name, style: .title)
            if let picture = offer.picture {
                ParleyView.image(picture).id("picture").accessibilityLabel("Icon: \(offer.name)")
            }
            ParleyView.text(offer.words)
            if !note.isEmpty { ParleyView.text(note, style: .caption) }
            ParleyView.row {
                ParleyView.button("All icons") {
                    self.offer = nil
                    self.note = ""
                }.id("back")
                ParleyView.spacer
                ParleyView.button("Show the others") { self.stage(offer) }.id("share").prominent()
            }
            ParleyView.spacer
        }
    }
}
