import ParleyCore
import ParleyYAML

/// Reads the steps that send messages.
extension StepReader {
    private static let messageKeys = [
        "by", "in", "session", "url", "caption", "summary", "picture", "next", "replaces", "as",
        "refused", "delivered", "url-bytes",
    ]

    mutating func send(_ node: YAMLNode) throws(YAMLError) {
        let fields = try YAMLFields(node, of: "send", keys: Self.messageKeys)
        var message = PlanMessage(
            by: try plan.host(try fields.required("by")),
            conversation: try plan.conversation(fields["in"], line: node.line),
            session: try session(fields),
            url: PlanURL.filled(
                filled(try fields.required("url").text("url")),
                to: try fields["url-bytes"]?.number("url-bytes", in: 0...10_000) ?? 0
            )
        )
        try state.needsNode(message.by, line: node.line)
        message.caption = try fields["caption"]?.text("caption")
        message.summary = try fields["summary"]?.text("summary")
        message.pictureBytes =
            try fields["picture"]?.size("picture", in: 1...PlanLimits.picture) ?? 0
        if let next = fields["next"] {
            message.next = try plan.hosts(of: next, "next", count: 1...PlanLimits.hosts)
            for host in message.next { try needsMember(host, message.conversation, next.line) }
        }
        if let replaced = fields["replaces"] { message.replacing = .named(try known(replaced)) }
        message.refusal = try fields["refused"]?.choice("refusal", of: PlanRefusal.self)
        let others = max(1, plan.hosts.count - 1)
        message.deliveries = try fields["delivered"]?.number("delivered", in: 1...others) ?? 0
        if let name = fields["as"] {
            message.name = filled(try name.text("as"))
            if message.refusal == nil, let name = message.name { state.messages.insert(name) }
        }
        if message.refusal != .unknownConversation {
            try needsMember(message.by, message.conversation, node.line)
        }
        try add(.send([message]), line: node.line)
    }

    /// Several hosts answer the same message at the same time.
    mutating func answer(_ node: YAMLNode) throws(YAMLError) {
        let keys = ["by", "in", "session", "to", "url"]
        let fields = try YAMLFields(node, of: "answer", keys: keys)
        let by = try plan.hosts(of: try fields.required("by"), "by", count: 2...PlanLimits.hosts)
        let conversation = try plan.conversation(fields["in"], line: node.line)
        let session = try session(fields)
        let replaced = try known(try fields.required("to"))
        let url = filled(try fields["url"]?.text("url") ?? "?answer")
        var messages: [PlanMessage] = []
        for host in by {
            try state.needsNode(host, line: node.line)
            try needsMember(host, conversation, node.line)
            var message = PlanMessage(
                by: host,
                conversation: conversation,
                session: session,
                url: "\(url)=\(plan.name(host))"
            )
            message.replacing = .named(replaced)
            messages.append(message)
        }
        try add(.send(messages), line: node.line)
    }

    mutating func batch(_ node: YAMLNode) throws(YAMLError) {
        let keys = [
            "by", "in", "session", "sessions", "count", "rate", "url-bytes", "meanwhile",
        ]
        let fields = try YAMLFields(node, of: "batch", keys: keys)
        let limit = PlanLimits.messagesOfBatch
        batches += 1
        let batch = PlanBatch(
            by: try plan.host(try fields.required("by")),
            conversation: try plan.conversation(fields["in"], line: node.line),
            session: try session(fields),
            sessions: try fields["sessions"]?.number("sessions", in: 1...10_000) ?? 1,
            count: try fields.required("count").number("count", in: 1...limit),
            rate: try fields["rate"]?.messageRate("rate") ?? 0,
            urlBytes: try fields["url-bytes"]?.number("url-bytes", in: 0...5_000) ?? 0,
            isMeanwhile: try fields["meanwhile"]?.yesOrNo("meanwhile") ?? false,
            number: batches
        )
        try state.needsNode(batch.by, line: node.line)
        try needsMember(batch.by, batch.conversation, node.line)
        try add(.batch(batch), line: node.line)
    }

    /// A game: each move is sent once all hosts show the move before it.
    mutating func turns(_ node: YAMLNode) throws(YAMLError) {
        let keys = ["by", "in", "session", "moves", "pictures", "within"]
        let fields = try YAMLFields(node, of: "turns", keys: keys)
        let by = try plan.hosts(of: try fields.required("by"), "by", count: 1...PlanLimits.hosts)
        let conversation = try plan.conversation(fields["in"], line: node.line)
        let session = try session(fields)
        let moves = try fields.required("moves").number("moves", in: 1...1_000)
        let limit = try within(fields)
        let pictures = try pictures(fields["pictures"], moves: moves)
        for host in by {
            try state.needsNode(host, line: node.line)
            try needsMember(host, conversation, node.line)
        }
        let group = newGroup("each of \(moves) moves in turn is shown everywhere")
        for move in 1...moves {
            var message = PlanMessage(
                by: by[(move - 1) % by.count],
                conversation: conversation,
                session: session,
                url: "?move=\(move)"
            )
            message.caption = "Move \(move)"
            message.summary = "Somebody made move \(move)"
            message.next = [by[move % by.count]]
            message.pictureBytes = pictures[move] ?? 0
            try add(.send([message]), line: node.line, group: group)
            let matter = PlanMatter.shown(
                session: session,
                url: message.url,
                withPicture: message.pictureBytes > 0
            )
            let expectation = PlanExpectation(
                matter: matter,
                limit: limit,
                conversation: conversation
            )
            try add(.expect(expectation), line: node.line, group: group)
        }
    }

    /// Checks that messages pass between two hosts in both directions.
    mutating func works(_ node: YAMLNode) throws(YAMLError) {
        let fields = try YAMLFields(node, of: "works", keys: ["between", "in", "within"])
        let between = try fields.required("between")
        let pair = try plan.hosts(of: between, "between", count: 2...2)
        let conversation = try plan.conversation(fields["in"], line: node.line)
        let limit = try within(fields)
        let names = pair.map(plan.name).joined(separator: " and ")
        let group = newGroup("messages pass between \(names)")
        for (from, to) in [(pair[0], pair[1]), (pair[1], pair[0])] {
            try state.needsNode(from, line: node.line)
            try needsMember(from, conversation, node.line)
            let message = PlanMessage(
                by: from,
                conversation: conversation,
                session: "works-\(plan.name(from))-\(plan.name(to))",
                url: "?works=\(groups)"
            )
            try add(.send([message]), line: node.line, group: group)
            let matter = PlanMatter.shown(
                session: message.session,
                url: message.url,
                withPicture: false
            )
            var expectation = PlanExpectation(
                matter: matter,
                limit: limit,
                conversation: conversation
            )
            expectation.hosts = [to]
            try add(.expect(expectation), line: node.line, group: group)
        }
    }

    // MARK: Parts

    func session(_ fields: YAMLFields) throws(YAMLError) -> String {
        let node = try fields.required("session")
        let text = filled(try node.text("session"))
        guard text.utf8.count <= 64 else {
            throw YAMLError(
                .badValue,
                line: node.line,
                "The session's name has \(text.utf8.count) bytes.",
                hint: "At most 64."
            )
        }
        return text
    }

    func within(_ fields: YAMLFields) throws(YAMLError) -> Interval {
        try fields["within"]?.duration("within")
            ?? .milliseconds(PlanLimits.expectationMilliseconds)
    }

    func needsMember(_ host: HostID, _ conversation: Int, _ line: Int) throws(YAMLError) {
        let conversation = plan.conversations[conversation]
        guard conversation.role(of: host) == nil else { return }
        throw YAMLError(
            .impossible,
            line: line,
            "\(plan.name(host)) is not in \(conversation.name).",
            hint: "Add it to the writers, readers or relays of \(conversation.name)."
        )
    }

    private func known(_ node: YAMLNode) throws(YAMLError) -> String {
        let name = filled(try node.text("a message"))
        guard state.messages.contains(name) else {
            throw YAMLError(
                .unknownName,
                line: node.line,
                "No message above is called \(name.prefix(40)).",
                hint: state.messages.isEmpty
                    ? "Name one with as: \(name.prefix(40))"
                    : NearMiss.hint(for: name, among: state.messages.sorted())
            )
        }
        return name
    }

    /// Bytes of pictures by the number of the move.
    private func pictures(_ node: YAMLNode?, moves: Int) throws(YAMLError) -> [Int: Int] {
        guard let node else { return [:] }
        guard case .map(let entries) = node.value else {
            throw node.wrong("pictures", "a mapping", hint: "Write: pictures: {5: 1KB, 50: 1MB}")
        }
        var pictures: [Int: Int] = [:]
        for entry in entries {
            let move = try YAMLNode(text: entry.key, line: entry.line)
                .number("the move of a picture", in: 1...moves)
            pictures[move] = try entry.value.size("picture", in: 1...PlanLimits.picture)
        }
        return pictures
    }
}
