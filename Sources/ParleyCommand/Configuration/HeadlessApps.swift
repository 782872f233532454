import MessagesHost
import ParleyAPI

/// The words that people use for apps without a person.
enum HeadlessApps {
    /// Refuses a word that fits no app of this program, or several.
    static func check(_ word: String) throws(Problem) {
        let meant = ProgramApps.all.filter { $0.isCalled(word) }
        guard meant.count != 1 else { return }
        let choice = (meant.isEmpty ? ProgramApps.all : meant).map(\.id).sorted()
        let list = choice.isEmpty ? "none" : choice.joined(separator: ", ")
        throw Problem(
            .badSetting,
            meant.isEmpty
                ? "There is no app called \(word). There are: \(list)."
                : "\(word) means several apps: \(list)."
        )
    }
}
