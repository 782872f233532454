/// The table of the app machine: state | event | steps | state.
///
/// A state is life, input field and selection. Parts that always come together have one word.
enum AppMachineTable {
    static let rows = text.split(separator: "\n").map { row in
        words.reduce(String(row)) { $0.replacing($1.word, with: $1.steps) }
    }

    private static let words: [(word: String, steps: String)] = [
        ("OPENING", "didLoad willBecomeActive didBecomeActive willAppear didAppear"),
        ("CLOSING", "willDisappear willResignActive didResignActive inactive"),
        ("TO(compact)", "willTransition(compact) style=compact didTransition(compact)"),
        ("TO(expanded)", "willTransition(expanded) style=expanded didTransition(expanded)"),
    ]

    private static let text = """
        closed - - | opened(compact) | style=compact selected=- active OPENING | compact - -
        closed - - | opened(expanded) | style=expanded selected=- active OPENING | expanded - -
        closed - - | opened(compact m) | style=compact selected=m active OPENING | compact - m
        closed - - | tapped(m) | style=expanded selected=m active OPENING | expanded - m
        closed - - | tapped(n) | style=expanded selected=n active OPENING | expanded - n
        closed - - | tapped(d) | style=expanded selected=d active OPENING | expanded - d
        closed - - | received(n) |  | closed - -
        closed - - | wanted(compact) |  | closed - -
        closed - - | wanted(expanded) |  | closed - -
        closed - - | closed |  | closed - -
        closed - - | staged(e) | field=e | closed e -
        closed - - | sendTapped |  | closed - -
        closed - - | sent(d) | settled(d) | closed - -
        closed - - | refused(d) | field=d | closed d -
        closed - - | draftDeleted |  | closed - -
        closed - - | unstaged |  | closed - -
        closed d - | opened(compact) | style=compact selected=- active OPENING | compact d -
        closed d - | opened(expanded) | style=expanded selected=- active OPENING | expanded d -
        closed d - | opened(compact m) | style=compact selected=m active OPENING | compact d m
        closed d - | tapped(m) | style=expanded selected=m active OPENING | expanded d m
        closed d - | tapped(n) | style=expanded selected=n active OPENING | expanded d n
        closed d - | tapped(d) | style=expanded selected=d active OPENING | expanded d d
        closed d - | received(n) |  | closed d -
        closed d - | wanted(compact) |  | closed d -
        closed d - | wanted(expanded) |  | closed d -
        closed d - | closed |  | closed d -
        closed d - | staged(e) | field=e | closed e -
        closed d - | sendTapped | field=- SEND(d) | closed - -
        closed d - | sent(d) | field=- settled(d) | closed - -
        closed d - | refused(d) |  | closed d -
        closed d - | draftDeleted | field=- | closed - -
        closed d - | unstaged | field=- | closed - -
        compact - - | opened(compact) |  | compact - -
        compact - - | opened(expanded) |  | compact - -
        compact - - | opened(compact m) |  | compact - -
        compact - - | tapped(m) | willSelect(m) selected=m didSelect(m) TO(expanded) | expanded - m
        compact - - | tapped(n) | willSelect(n) selected=n didSelect(n) TO(expanded) | expanded - n
        compact - - | tapped(d) | willSelect(d) selected=d didSelect(d) TO(expanded) | expanded - d
        compact - - | received(n) | didReceive(n) | compact - -
        compact - - | wanted(compact) |  | compact - -
        compact - - | wanted(expanded) | TO(expanded) | expanded - -
        compact - - | closed | CLOSING | closed - -
        compact - - | staged(e) | field=e selected=e | compact e e
        compact - - | sendTapped |  | compact - -
        compact - - | sent(d) | settled(d) didStartSending(d) | compact - -
        compact - - | refused(d) | field=d | compact d -
        compact - - | draftDeleted |  | compact - -
        compact - - | unstaged |  | compact - -
        compact - m | opened(compact) |  | compact - m
        compact - m | opened(expanded) |  | compact - m
        compact - m | opened(compact m) |  | compact - m
        compact - m | tapped(m) | willSelect(m) selected=m didSelect(m) TO(expanded) | expanded - m
        compact - m | tapped(n) | willSelect(n) selected=n didSelect(n) TO(expanded) | expanded - n
        compact - m | tapped(d) | willSelect(d) selected=d didSelect(d) TO(expanded) | expanded - d
        compact - m | received(n) | didReceive(n) | compact - m
        compact - m | wanted(compact) |  | compact - m
        compact - m | wanted(expanded) | TO(expanded) | expanded - m
        compact - m | closed | CLOSING | closed - -
        compact - m | staged(e) | field=e selected=e | compact e e
        compact - m | sendTapped |  | compact - m
        compact - m | sent(d) | settled(d) didStartSending(d) | compact - m
        compact - m | refused(d) | field=d | compact d m
        compact - m | draftDeleted |  | compact - m
        compact - m | unstaged |  | compact - m
        compact d - | opened(compact) |  | compact d -
        compact d - | opened(expanded) |  | compact d -
        compact d - | opened(compact m) |  | compact d -
        compact d - | tapped(m) | willSelect(m) selected=m didSelect(m) TO(expanded) | expanded d m
        compact d - | tapped(n) | willSelect(n) selected=n didSelect(n) TO(expanded) | expanded d n
        compact d - | tapped(d) | willSelect(d) selected=d didSelect(d) TO(expanded) | expanded d d
        compact d - | received(n) | didReceive(n) | compact d -
        compact d - | wanted(compact) |  | compact d -
        compact d - | wanted(expanded) | TO(expanded) | expanded d -
        compact d - | closed | CLOSING | closed d -
        compact d - | staged(e) | field=e selected=e | compact e e
        compact d - | sendTapped | field=- SEND(d) | compact - -
        compact d - | sent(d) | field=- settled(d) didStartSending(d) | compact - -
        compact d - | refused(d) |  | compact d -
        compact d - | draftDeleted | field=- didCancelSending(d) | compact - -
        compact d - | unstaged | field=- | compact - -
        compact d d | opened(compact) |  | compact d d
        compact d d | opened(expanded) |  | compact d d
        compact d d | opened(compact m) |  | compact d d
        compact d d | tapped(m) | willSelect(m) selected=m didSelect(m) TO(expanded) | expanded d m
        compact d d | tapped(n) | willSelect(n) selected=n didSelect(n) TO(expanded) | expanded d n
        compact d d | tapped(d) | willSelect(d) selected=d didSelect(d) TO(expanded) | expanded d d
        compact d d | received(n) | didReceive(n) | compact d d
        compact d d | wanted(compact) |  | compact d d
        compact d d | wanted(expanded) | TO(expanded) | expanded d d
        compact d d | closed | CLOSING | closed d -
        compact d d | staged(e) | field=e selected=e | compact e e
        compact d d | sendTapped | field=- SEND(d) | compact - d
        compact d d | sent(d) | field=- settled(d) didStartSending(d) | compact - d
        compact d d | refused(d) |  | compact d d
        compact d d | draftDeleted | field=- selected=- didCancelSending(d) | compact - -
        compact d d | unstaged | field=- selected=- | compact - -
        compact d m | opened(compact) |  | compact d m
        compact d m | opened(expanded) |  | compact d m
        compact d m | opened(compact m) |  | compact d m
        compact d m | tapped(m) | willSelect(m) selected=m didSelect(m) TO(expanded) | expanded d m
        compact d m | tapped(n) | willSelect(n) selected=n didSelect(n) TO(expanded) | expanded d n
        compact d m | tapped(d) | willSelect(d) selected=d didSelect(d) TO(expanded) | expanded d d
        compact d m | received(n) | didReceive(n) | compact d m
        compact d m | wanted(compact) |  | compact d m
        compact d m | wanted(expanded) | TO(expanded) | expanded d m
        compact d m | closed | CLOSING | closed d -
        compact d m | staged(e) | field=e selected=e | compact e e
        compact d m | sendTapped | field=- SEND(d) | compact - m
        compact d m | sent(d) | field=- settled(d) didStartSending(d) | compact - m
        compact d m | refused(d) |  | compact d m
        compact d m | draftDeleted | field=- didCancelSending(d) | compact - m
        compact d m | unstaged | field=- | compact - m
        expanded - - | opened(compact) |  | expanded - -
        expanded - - | opened(expanded) |  | expanded - -
        expanded - - | opened(compact m) |  | expanded - -
        expanded - - | tapped(m) | willSelect(m) selected=m didSelect(m) | expanded - m
        expanded - - | tapped(n) | willSelect(n) selected=n didSelect(n) | expanded - n
        expanded - - | tapped(d) | willSelect(d) selected=d didSelect(d) | expanded - d
        expanded - - | received(n) | didReceive(n) | expanded - -
        expanded - - | wanted(compact) | TO(compact) | compact - -
        expanded - - | wanted(expanded) |  | expanded - -
        expanded - - | closed | CLOSING | closed - -
        expanded - - | staged(e) | field=e selected=e | expanded e e
        expanded - - | sendTapped |  | expanded - -
        expanded - - | sent(d) | settled(d) didStartSending(d) | expanded - -
        expanded - - | refused(d) | field=d | expanded d -
        expanded - - | draftDeleted |  | expanded - -
        expanded - - | unstaged |  | expanded - -
        expanded - m | opened(compact) |  | expanded - m
        expanded - m | opened(expanded) |  | expanded - m
        expanded - m | opened(compact m) |  | expanded - m
        expanded - m | tapped(m) | willSelect(m) selected=m didSelect(m) | expanded - m
        expanded - m | tapped(n) | willSelect(n) selected=n didSelect(n) | expanded - n
        expanded - m | tapped(d) | willSelect(d) selected=d didSelect(d) | expanded - d
        expanded - m | received(n) | didReceive(n) | expanded - m
        expanded - m | wanted(compact) | TO(compact) | compact - m
        expanded - m | wanted(expanded) |  | expanded - m
        expanded - m | closed | CLOSING | closed - -
        expanded - m | staged(e) | field=e selected=e | expanded e e
        expanded - m | sendTapped |  | expanded - m
        expanded - m | sent(d) | settled(d) didStartSending(d) | expanded - m
        expanded - m | refused(d) | field=d | expanded d m
        expanded - m | draftDeleted |  | expanded - m
        expanded - m | unstaged |  | expanded - m
        expanded d - | opened(compact) |  | expanded d -
        expanded d - | opened(expanded) |  | expanded d -
        expanded d - | opened(compact m) |  | expanded d -
        expanded d - | tapped(m) | willSelect(m) selected=m didSelect(m) | expanded d m
        expanded d - | tapped(n) | willSelect(n) selected=n didSelect(n) | expanded d n
        expanded d - | tapped(d) | willSelect(d) selected=d didSelect(d) | expanded d d
        expanded d - | received(n) | didReceive(n) | expanded d -
        expanded d - | wanted(compact) | TO(compact) | compact d -
        expanded d - | wanted(expanded) |  | expanded d -
        expanded d - | closed | CLOSING | closed d -
        expanded d - | staged(e) | field=e selected=e | expanded e e
        expanded d - | sendTapped | field=- SEND(d) | expanded - -
        expanded d - | sent(d) | field=- settled(d) didStartSending(d) | expanded - -
        expanded d - | refused(d) |  | expanded d -
        expanded d - | draftDeleted | field=- didCancelSending(d) | expanded - -
        expanded d - | unstaged | field=- | expanded - -
        expanded d d | opened(compact) |  | expanded d d
        expanded d d | opened(expanded) |  | expanded d d
        expanded d d | opened(compact m) |  | expanded d d
        expanded d d | tapped(m) | willSelect(m) selected=m didSelect(m) | expanded d m
        expanded d d | tapped(n) | willSelect(n) selected=n didSelect(n) | expanded d n
        expanded d d | tapped(d) | willSelect(d) selected=d didSelect(d) | expanded d d
        expanded d d | received(n) | didReceive(n) | expanded d d
        expanded d d | wanted(compact) | TO(compact) | compact d d
        expanded d d | wanted(expanded) |  | expanded d d
        expanded d d | closed | CLOSING | closed d -
        expanded d d | staged(e) | field=e selected=e | expanded e e
        expanded d d | sendTapped | field=- SEND(d) | expanded - d
        expanded d d | sent(d) | field=- settled(d) didStartSending(d) | expanded - d
        expanded d d | refused(d) |  | expanded d d
        expanded d d | draftDeleted | field=- selected=- didCancelSending(d) | expanded - -
        expanded d d | unstaged | field=- selected=- | expanded - -
        expanded d m | opened(compact) |  | expanded d m
        expanded d m | opened(expanded) |  | expanded d m
        expanded d m | opened(compact m) |  | expanded d m
        expanded d m | tapped(m) | willSelect(m) selected=m didSelect(m) | expanded d m
        expanded d m | tapped(n) | willSelect(n) selected=n didSelect(n) | expanded d n
        expanded d m | tapped(d) | willSelect(d) selected=d didSelect(d) | expanded d d
        expanded d m | received(n) | didReceive(n) | expanded d m
        expanded d m | wanted(compact) | TO(compact) | compact d m
        expanded d m | wanted(expanded) |  | expanded d m
        expanded d m | closed | CLOSING | closed d -
        expanded d m | staged(e) | field=e selected=e | expanded e e
        expanded d m | sendTapped | field=- SEND(d) | expanded - m
        expanded d m | sent(d) | field=- settled(d) didStartSending(d) | expanded - m
        expanded d m | refused(d) |  | expanded d m
        expanded d m | draftDeleted | field=- didCancelSending(d) | expanded - m
        expanded d m | unstaged | field=- | expanded - m
        """
}
