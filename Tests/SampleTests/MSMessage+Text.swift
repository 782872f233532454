import Foundation
import Messages

extension MSMessage {
    /// A message with that URL, in a session if there is one.
    convenience init(_ text: String, in session: MSSession? = nil) {
        if let session { self.init(session: session) } else { self.init() }
        url = URL(string: text)
        let template = MSMessageTemplateLayout()
        template.caption = String(text.prefix(80))
        layout = template
    }
}
