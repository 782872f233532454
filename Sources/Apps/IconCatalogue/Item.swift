/// A thing that the icon store has: an icon with a name and some words.
///
/// The catalogue is a module of its own, as a shop's server or another app would share it.
public struct Item: Hashable, Sendable {
    /// The word for the item in URLs.
    public let id: String
    /// The name for people.
    public let name: String
    /// A sentence about the item.
    public let words: String
    /// The icon: the content of an SVG picture of 200 by 200.
    public let drawing: String
    /// The colors of the ground on which the icon stands, from top to bottom.
    public let ground: [String]

    /// The icon as a whole SVG picture, with round corners unless it fills a card.
    public func svg(side: Int, isRound: Bool = true) -> String {
        """
        <svg xmlns='http://www.w3.org/2000/svg' width='\(side)' height='\(side)' \
        viewBox='0 0 200 200'><defs><linearGradient id='g' x1='0' y1='0' x2='0' y2='1'>\
        <stop stop-color='\(ground.first ?? "#fff")'/>\
        <stop offset='1' stop-color='\(ground.last ?? "#fff")'/></linearGradient></defs>\
        <rect width='200' height='200' rx='\(isRound ? 44 : 0)' fill='url(#g)'/>\(drawing)</svg>
        """
    }
}
