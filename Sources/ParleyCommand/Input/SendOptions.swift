import ArgumentParser
import ParleyAPI

/// The content of a message as options.
struct SendOptions: ParsableArguments {
    @Option(help: "A text, as people write it on the page, instead of an app's data and captions.")
    var text: String?
    @Option(help: "The app's data, at most 5,000 characters; - reads one per line.")
    var url: String?
    @Option(help: ArgumentHelp("The session (default: a new one).", valueName: "uuid"))
    var session: String?
    @Option(help: "The first line under the picture.") var caption: String?
    @Option(help: "The second line.") var subcaption: String?
    @Option(help: "The text at the right end of the first line.") var trailingCaption: String?
    @Option(help: "The text at the right end of the second line.") var trailingSubcaption: String?
    @Option(help: ArgumentHelp("A PNG, JPEG, GIF, WebP or SVG of up to 4 MiB.", valueName: "file"))
    var image: String?
    @Flag(help: "Send the picture with its place, time and camera, which are removed otherwise.")
    var keepMetadata = false
    @Option(help: "The title over the picture.") var imageTitle: String?
    @Option(help: "The subtitle over the picture.") var imageSubtitle: String?
    @Option(help: "The summary that stays when the message is replaced.") var summary: String?
    @Option(help: "The text for screen readers.") var accessibilityLabel: String?
    @Option(help: ArgumentHelp("The app that interprets the URL.", valueName: "id"))
    var app: String?
    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            "A participant who may replace the message (default: anybody); up to 16 times.",
            valueName: "participant"
        )
    )
    var next: [String] = []
    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            "A message that it replaces (default: all heads of the session).",
            valueName: "id"
        )
    )
    var replacing: [String] = []
    @Option(
        help: """
            Return when the message is stored (on this node's disk), delivered=N (with its \
            picture also on the disks of N devices of other writers and readers, also behind \
            relays) or linked=N (on the disks of N nodes that are linked with this one, relays \
            among them). --timeout limits the wait.
            """
    )
    var wait: String?

    /// Whether no option has something of a message.
    var isEmpty: Bool {
        let document = document
        return document == SendDocument()
    }

    /// The message, without its picture.
    var document: SendDocument {
        var document = SendDocument()
        document.text = text
        document.url = url == "-" ? nil : url
        document.session = session
        document.layout.caption = caption
        document.layout.subcaption = subcaption
        document.layout.trailingCaption = trailingCaption
        document.layout.trailingSubcaption = trailingSubcaption
        document.image = image
        document.keepMetadata = keepMetadata ? true : nil
        document.layout.imageTitle = imageTitle
        document.layout.imageSubtitle = imageSubtitle
        document.summary = summary
        document.accessibilityLabel = accessibilityLabel
        document.app = app
        document.next = next.isEmpty ? nil : next
        document.replacing = replacing.isEmpty ? nil : replacing
        document.wait = wait
        return document
    }
}
