import Foundation
import Messages
import MessagesHost

/// In each turn one draws a word with little ink, and all others guess it at the same time.
///
/// Drawing and guesses are sent at once. The drawer's app promises the word before anybody sees a
/// line, tells whether a guess is right, and shows the word in the end; the other apps check that
/// it is the promised one.
public final class DrawAndGuess: MSMessagesAppViewController, ParleyApp {
    private var session = MSSession()
    private(set) var scene: Scene?
    private(set) var drawer: Drawer?
    private(set) var offered: [String] = []
    /// Whether the drawer looks for another word.
    private(set) var isChoosing = false
    /// A guess or a word that is being typed.
    var typed = ""
    private(set) var note = ""
    /// Whether a guess was handed over, and is not stored yet.
    private(set) var isGuessing = false
    /// The seconds for each turn of the next match; nil for any time.
    var clock: Int? = 120
    /// The seals that were seen in this match, by the names of the drawings.
    private(set) var seals: [String: String] = [:]

    // MARK: Events

    /// The app was opened, perhaps by tapping a message.
    public override func willBecomeActive(with conversation: MSConversation) {
        drawer = Drawer(
            folder: documentsDirectory,
            participant: conversation.localParticipantIdentifier
        )
        if let selected = conversation.selectedMessage { show(selected, conversation) }
    }

    /// Another message was tapped.
    public override func didSelect(_ message: MSMessage, conversation: MSConversation) {
        show(message, conversation)
    }

    /// The session of which the host shows the seats.
    public var matchSession: MSSession? { session }

    /// Somebody joined, drew, guessed or left, a clock ran out, or there is a rematch.
    public func matchDidChange(
        _ match: ParleyMatch,
        message: MSMessage,
        conversation: MSConversation
    ) {
        let isNews = scene == nil && match.phase != .over
        if isNews || match.isOf(session) || match.isRematch(of: session) {
            show(message, conversation)
        }
    }

    /// A match or a rematch in which nobody has drawn.
    public func newMatch(in session: MSSession, conversation: MSConversation) -> MSMessage? {
        let me = conversation.localParticipantIdentifier
        let message = Board().message(in: session, from: me)
        conversation.parley?.setClock(clock, for: message)
        return message
    }

    private func show(_ message: MSMessage, _ conversation: MSConversation) {
        guard let next = Scene(message, conversation) else {
            note = "I cannot make sense of this message. Its picture and its line say all."
            return
        }
        if message.session != session { startAnew() }
        session = message.session ?? MSSession()
        // What is being typed belongs to the drawing, and nothing else touches it.
        if next.board.key != scene?.board.key || next.isDrawn != scene?.isDrawn {
            (typed, note, isChoosing, offered) = ("", "", false, [])
        }
        if let seal = next.board.seal, seals[next.board.key] == nil {
            seals[next.board.key] = seal
        }
        scene = next
        if next.isMyDrawing, offered.isEmpty { offerWords() }
        drawer?.judge(next, conversation)
    }

    // MARK: Actions

    func startAnew() {
        (scene, session, seals) = (nil, MSSession(), [:])
        (typed, note, isChoosing, offered) = ("", "", false, [])
    }

    func offerWords() { offered = Array(Words.all.shuffled().prefix(3)) }

    func chooseAnother() {
        isChoosing.toggle()
        typed = ""
        offerWords()
    }

    func choose(_ text: String) {
        guard let scene, let conversation = activeConversation else { return }
        let word = Words.tidy(text)
        guard !word.isEmpty else { return note = "Write a word that you can draw." }
        requestPresentationStyle(.expanded)
        drawer?.choose(word, scene, conversation)
    }

    /// Suggests a word to the next drawer.
    func suggest(_ text: String) {
        guard let scene, scene.suggestible != nil else { return }
        let word = Words.tidy(text)
        guard !word.isEmpty else { return note = "Write the word that you suggest." }
        (typed, note) = ("", "")
        drawer?.suggest(word, scene)
    }

    func passOn() {
        if let scene, let conversation = activeConversation { drawer?.passOn(scene, conversation) }
    }

    func draw(_ stroke: ParleyView.Stroke) {
        guard let stroke = Ink.stroke(stroke, ink: inkLeft) else { return }
        show(strokes + [stroke])
    }

    func undo() { show(strokes.dropLast()) }

    private func show(_ strokes: [ParleyView.Stroke]) {
        guard let scene, let conversation = activeConversation else { return }
        drawer?.draw(strokes, scene, conversation)
    }

    /// What is drawn so far.
    var strokes: [ParleyView.Stroke] {
        scene.map { drawer?.strokes(in: $0) ?? $0.strokes } ?? []
    }

    var inkLeft: Double { (scene?.inkMax ?? 0) - Ink.used(by: strokes) }

    func makeGuess(_ text: String) {
        guard let scene, let conversation = activeConversation, !isGuessing else { return }
        typed = text
        let word = Words.tidy(text)
        guard !word.isEmpty else { return note = "Write what you think it is, then press Guess." }
        guard !scene.guesses.contains(where: { $0.word == word }) else {
            return note = "“\(word)” was guessed before. Try something else."
        }
        note = ""
        isGuessing = true
        scene.guess(word, conversation) { isStored in
            self.isGuessing = false
            if isStored, self.typed == text { self.typed = "" }
            if !isStored { self.note = "Your guess could not be sent. Try it once more." }
            self.setNeedsBodyUpdate()
        }
    }

    /// The screen of the player, the drawer or a guesser.
    public override var body: ParleyView { screen }
}
