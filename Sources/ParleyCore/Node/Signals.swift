/// Sends signals, and passes on those of others.
extension NodeMachine {
    /// Sends a signal of this device or a guest.
    mutating func signal(_ request: SignalRequest) {
        guard let index = conversations.index(of: request.conversation),
            let signal =
                conversations
                .signal(request, in: index, at: step.now, using: crypto, random: &random)
        else { return }
        pass(signal, in: index, besides: nil)
        conversations.reserveSequences(of: index, tickets: &commits, into: &step)
    }

    /// A member sends a signal: passes it on where its origin's envelopes are pushed.
    ///
    /// Signals of blocked devices are only passed on.
    mutating func received(_ frame: SignalFrame, in index: Int, on link: Int) throws(Refusal) {
        guard let signal = try conversations.heard(frame, in: index, at: step.now, using: crypto)
        else { return }
        links[link].charge(Work.signature)
        pass(signal, in: index, besides: links[link].id)
    }

    private mutating func pass(_ signal: PassedSignal, in index: Int, besides source: LinkID?) {
        for link in links.indices where links[link].id != source {
            links[link].pass(signal.frame, of: conversations[index])
        }
        guard let notice = signal.notice, !links.gate.blocked.contains(notice.device) else {
            return
        }
        step.deliver(.signal(notice))
    }
}
