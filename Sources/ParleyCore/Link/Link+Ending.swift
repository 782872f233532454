/// Ends a link.
extension Link {
    /// Says goodbye, and ends the link after the bytes that were handed over before.
    package mutating func close(
        saying reason: GoodbyeReason,
        text: String = "",
        into step: inout Step
    ) {
        guard phase != .closing else { return }
        outbox.append(.goodbye(Goodbye(reason: reason, text: text)))
        end(.said(reason, text), into: &step)
    }

    /// The peer says goodbye.
    package mutating func heard(_ goodbye: Goodbye, into step: inout Step) {
        end(.heard(goodbye.reason, goodbye.text), into: &step)
    }

    /// The connection was lost.
    mutating func lost(_ reason: String, into step: inout Step) {
        phase = .closing
        step.deliver(notice(of: .closed(.lost(reason))))
    }

    private mutating func end(_ cause: CloseCause, into step: inout Step) {
        phase = .closing
        self.cause = cause
        step.effects.closes.append(LinkClose(link: id, cause: cause))
        step.deliver(notice(of: .closed(cause)))
    }

    /// The report of a change of the link, for people.
    func notice(of change: LinkNotice.Change) -> Delivery {
        .link(LinkNotice(link: id, device: device, address: address, change: change))
    }
}
