import CoreMetrics
import ParleyCore
import ParleyStore

extension NodeShell {
    /// Passes on the deliveries of a step, in their order.
    func deliver(_ deliveries: [Delivery]) {
        news.listeners.gather()
        // A reader copies the machine: one serves messages in a row, and ends before a change.
        var reader: MessageReader?
        for delivery in deliveries {
            guard case .shown(let shown) = delivery else {
                reader = nil
                deliver(delivery)
                continue
            }
            news.metrics.count(.shown)
            guard !news.listeners.isEmpty || files.concerns(shown.tag) else { continue }
            let present = reader ?? self.reader
            reader = present
            show(shown, by: present)
        }
        news.listeners.emitGathered()
    }

    /// Passes a delivery of the machine to waiting requests, listeners, the log and the counters.
    private func deliver(_ delivery: Delivery) {
        person.heard(delivery, on: self)
        switch delivery {
        case .answer(let request, let answer):
            if case .stored = answer { news.metrics.count(.sent) }
            requests.answered(request, answer)
        case .linked(let request, let nodes):
            requests.delivered(request, nodes: nodes, areLinked: true)
        case .delivered(let request, let nodes):
            requests.delivered(request, nodes: nodes)
            if let event = requests.event(request, nodes: nodes) { news.listeners.emit(event) }
        case .link(let notice):
            news.changed(notice, in: machine, at: Self.now)
            switch notice.change {
            case .greeted: links.progressed(notice.link)
            case .joined:
                links.proved(notice.link)
                files.reached(notice.device)
            case .suspected, .full, .closed: break
            }
        case .pairing(let notice): paired(notice)
        case .knocked(let notice): requests.knocked(notice)
        case .rotated(let request, let result): requests.rotated(request, result)
        default: news.happened(delivery, in: machine)
        }
    }

    private func show(_ shown: ShownMessage, by reader: MessageReader) {
        guard let view = reader.view(of: shown) else { return }
        if let event = reader.summarized(before: shown, in: view) { news.listeners.emit(event) }
        // If another message is shown by now, it has its own delivery, once on disk.
        guard view.heads.first?.dot == shown.dot else { return }
        guard view.lacksEnvelopes else { return showNow(view, by: reader) }
        store?.heads(
            ofRow: view.row,
            here { shell, result in
                let now = shell.machine.conversations.view(view.tag, in: view.conversation)
                guard let heads = shell.news.log.readable(result),
                    now?.heads.first?.dot == shown.dot
                else { return }
                shell.showNow(view.filled(from: heads), by: shell.reader)
            }
        )
    }

    private func showNow(_ view: SessionView, by reader: MessageReader) {
        if files.concerns(view.tag), let message = reader.ownersMessage(of: view) {
            files.shown(message.session, file: message.content?.file)
        }
        news.shown(view, by: reader)
    }
}
