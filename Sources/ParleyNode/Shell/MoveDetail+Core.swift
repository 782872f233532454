package import ParleyCore
package import ParleyValues

extension MoveDetail {
    /// The question of a machine for the rules of an app.
    package init(_ step: MatchStep) {
        self.init(
            from: MessageContent(step.before),
            to: MessageContent(step.after),
            in: SessionID(step.after.session),
            by: step.author.uuid,
            quit: Set(step.quit.map(\.uuid)),
            chance: ChanceDetail(
                roll: step.roll.map(RollDetail.init),
                deck: step.deck.map(DeckDetail.init)
            )
        )
    }
}
