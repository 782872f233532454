import Foundation
import Messages

/// The words to draw, each with a sketch that the bot compares drawings with.
enum Words {
    /// Lines as `x,y x,y …` on an area of 100 by 100, with `;` in between; `o` begins an ellipse
    /// with its center and radii.
    static let sketches = [
        "boat": "10,65 90,65 75,85 25,85 10,65;50,65 50,15;50,18 80,58 50,58",
        "cat":
            "o50,60,30,28;24,46 22,18 40,34;60,34 78,18 76,46;o40,55,3,4;o60,55,3,4;"
            + "44,68 50,74 56,68",
        "cup": "20,30 70,30 64,85 26,85 20,30;69,40 86,44 84,62 66,66",
        "fish": "o45,50,33,20;76,50 95,34 95,66 76,50;o28,45,3,3",
        "flower":
            "50,95 50,52;o50,32,10,10;o50,12,9,9;o69,32,9,9;o50,52,9,9;o31,32,9,9;50,80 70,66",
        "heart": "50,88 18,52 12,32 24,16 40,18 50,34 60,18 76,16 88,32 82,52 50,88",
        "house": "20,90 20,45 80,45 80,90 20,90;14,46 50,12 86,46;42,90 42,64 58,64 58,90",
        "ladder": "32,95 32,5;68,95 68,5;32,20 68,20;32,40 68,40;32,60 68,60;32,80 68,80",
        "snail": "8,80 90,80 94,62 86,70;o50,56,26,24;o50,56,14,13;94,62 98,50;92,62 90,50",
        "star": "50,6 62,40 96,40 68,60 79,94 50,72 21,94 32,60 4,40 38,40 50,6",
        "sun": "o50,50,20,20;50,22 50,5;50,78 50,95;22,50 5,50;78,50 95,50;30,30 18,18;70,30 82,18;"
            + "30,70 18,82;70,70 82,82",
        "tree": "44,95 44,60;56,95 56,60;o50,36,32,28;36,95 64,95",
    ]

    /// The words that the bot draws and guesses.
    static var sketched: [String] { sketches.keys.sorted() }

    static var all: [String] { sketched + others }

    /// The longest word or guess, in characters and in bytes.
    static let (lengthMax, bytesMax) = (24, 96)

    /// A word or a guess in lower case, with letters, digits and single spaces only.
    static func tidy(_ text: String) -> String {
        let plain = text.prefix(200).lowercased().map { $0.isLetter || $0.isNumber ? $0 : " " }
        var tidy = String(plain).split(separator: " ").joined(separator: " ").prefix(lengthMax)
        while tidy.utf8.count > bytesMax || tidy.last == " " { tidy.removeLast() }
        return String(tidy)
    }

    /// Whether a guess is the word, with or without an article.
    static func match(_ guess: String, _ word: String) -> Bool {
        let guess = tidy(guess)
        return guess == word || ["a ", "an ", "the "].contains { guess == $0 + word }
    }

    /// The strokes of a word's sketch, on the paper; empty without a sketch.
    static func sketch(of word: String) -> [ParleyView.Stroke] {
        (sketches[word] ?? "").split(separator: ";").map { line in
            let numbers = line.split { $0 == "," || $0 == " " || $0 == "o" }.compactMap {
                Double($0)
            }
            let points =
                line.first == "o" && numbers.count == 4
                ? ellipse(numbers)
                : stride(from: 0, to: numbers.count - 1, by: 2).map {
                    CGPoint(x: numbers[$0], y: numbers[$0 + 1])
                }
            return ParleyView.Stroke(
                points: points.map { CGPoint(x: 50 + $0.x * 2.2, y: 10 + $0.y * 2.2) }
            )
        }
    }

    private static func ellipse(_ numbers: [Double]) -> [CGPoint] {
        (0...20).map { step in
            let angle = Double(step) / 20 * 2 * .pi
            return CGPoint(
                x: numbers[0] + cos(angle) * numbers[2],
                y: numbers[1] + sin(angle) * numbers[3]
            )
        }
    }
}
