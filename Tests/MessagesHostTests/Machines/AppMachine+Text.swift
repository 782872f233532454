import MessagesHost

/// The states, events and steps of the app machine in the words of its table.
///
/// `m` and `n` are messages of the transcript, `d` and `e` drafts.
extension MessageKey {
    static let m = MessageKey(1)
    static let n = MessageKey(2)
    static let d = MessageKey(3)
    static let e = MessageKey(4)

    var word: String {
        switch self {
        case .m: "m"
        case .n: "n"
        case .d: "d"
        case .e: "e"
        default: "\(value)"
        }
    }
}

extension AppStyle {
    var word: String { self == .compact ? "compact" : "expanded" }
}

extension AppMachine {
    /// Life, field and selection.
    var word: String {
        let life =
            switch life {
            case .closed: "closed"
            case .open(let style): style.word
            }
        let field =
            switch field {
            case .empty: "-"
            case .staged(let key): key.word
            }
        return "\(life) \(field) \(selection?.word ?? "-")"
    }
}

extension AppEvent {
    var word: String {
        switch self {
        case .opened(let style, let key):
            "opened(\(style.word)\(key.map { " \($0.word)" } ?? ""))"
        case .tapped(let key): "tapped(\(key.word))"
        case .received(let key): "received(\(key.word))"
        case .styleWanted(let style): "wanted(\(style.word))"
        case .closed: "closed"
        case .staged(let key): "staged(\(key.word))"
        case .sendTapped: "sendTapped"
        case .sent(let key): "sent(\(key.word))"
        case .refused(let key): "refused(\(key.word))"
        case .draftDeleted: "draftDeleted"
        case .unstaged: "unstaged"
        }
    }
}

extension AppStep {
    var word: String {
        switch self {
        case .setStyle(let style): "style=\(style.word)"
        case .select(let key): "selected=\(key?.word ?? "-")"
        case .activate: "active"
        case .deactivate: "inactive"
        case .stage(let key): "field=\(key.word)"
        case .unstage: "field=-"
        case .send(let key): "SEND(\(key.word))"
        case .settle(let key): "settled(\(key.word))"
        case .didLoad, .willBecomeActive, .didBecomeActive, .willAppear, .didAppear, .willDisappear,
            .willResignActive, .didResignActive:
            "\(self)"
        case .willSelect(let key): "willSelect(\(key.word))"
        case .didSelect(let key): "didSelect(\(key.word))"
        case .didReceive(let key): "didReceive(\(key.word))"
        case .didStartSending(let key): "didStartSending(\(key.word))"
        case .didCancelSending(let key): "didCancelSending(\(key.word))"
        case .willTransition(let style): "willTransition(\(style.word))"
        case .didTransition(let style): "didTransition(\(style.word))"
        }
    }
}
