import Messages
import UIKit

/// A drawing that is drawn live in the bubble.
struct Sketch {
    var strokes: [ParleyView.Stroke]
    static let size = CGSize(width: 320, height: 240)

    var image: UIImage {
        ParleyView.Drawing(size: Sketch.size, strokes: strokes).image ?? UIImage()
    }

    init(strokes: [ParleyView.Stroke] = []) {
        self.strokes = strokes
    }

    init?(url: URL?) {
        guard
            let query = url?.query?.removingPercentEncoding,
            let data = query.data(using: .utf8),
            let strokes = try? JSONDecoder().decode([ParleyView.Stroke].self, from: data)
        else { return nil }
        self.strokes = strokes
    }

    func message(session: MSSession) throws -> MSMessage {
        var components = URLComponents()
        components.query = String(data: try JSONEncoder().encode(strokes), encoding: .utf8)
        let alternate = MSMessageTemplateLayout()
        alternate.image = image
        alternate.caption = "A sketch"
        let message = MSMessage(session: session)
        message.url = components.url
        message.layout = MSMessageLiveLayout(alternateLayout: alternate)
        return message
    }
}
