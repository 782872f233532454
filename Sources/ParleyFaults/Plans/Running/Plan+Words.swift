package import ParleyCore

/// A plan in words, for progress lines and results.
extension Plan {
    package func words(_ act: PlanAct) -> String {
        switch act {
        case .send(let messages): messages.map(words).joined(separator: "; ")
        case .batch(let batch): words(batch)
        case .finish: "every batch has ended"
        case .fault(let fault): words(fault)
        case .run(let command): words(command)
        case .expect(let expectation): words(expectation)
        case .pass(let length): "\(length.words) pass"
        case .count: "counting begins"
        }
    }

    private func words(_ message: PlanMessage) -> String {
        let url = PlanJudge.short(message.url)
        var words = "\(name(message.by)) sends \(url) to \(message.session)"
        if message.pictureBytes > 0 { words += " with \(message.pictureBytes) bytes of picture" }
        if let refusal = message.refusal { words += " and is refused: \(refusal.rawValue)" }
        if message.deliveries > 0 { words += ", stored on \(message.deliveries) more" }
        return words
    }

    private func words(_ command: PlanCommand) -> String {
        let line = command.command.split(separator: "\n").first.map(String.init) ?? ""
        let end = command.exitCode == 0 ? "" : ", which ends with \(command.exitCode)"
        let prints = command.prints.map { " and prints \($0)" } ?? ""
        let short = line.count <= 200 ? line : "\(line.prefix(199))…"
        return "\(name(command.host)) runs \(short)\(end)\(prints)"
    }

    private func words(_ batch: PlanBatch) -> String {
        var words = "\(name(batch.by)) sends \(batch.count) messages in \(batch.sessions) "
        words += batch.sessions == 1 ? "session" : "sessions"
        if batch.rate > 0 { words += ", \(batch.rate) a second" }
        return batch.isMeanwhile ? words + ", meanwhile:" : words
    }

    private func words(_ fault: PlanFault) -> String {
        switch fault {
        case .close(let paths): "nothing passes: \(pairs(paths))"
        case .open(let paths): "open again: \(pairs(paths))"
        case .heal(let hosts, _):
            hosts.count == self.hosts.count ? "everything is healed" : "\(list(hosts)) healed"
        case .slow(let host, 0): "\(name(host)) has its full rate again"
        case .slow(let host, let bits): "\(name(host)) has \(bits / 1_000) kbit/s"
        case .loss(let host, let share): "\(name(host)) loses \(percent(share)) of its packets"
        case .delay(let host, let by): "\(name(host)) is \(by.words) away"
        case .reorder(let host, let by): "\(name(host)) is up to \(by.words) away"
        case .duplicate(let host, let share):
            "\(percent(share)) of the packets of \(name(host)) come twice"
        case .stop(let host): "\(name(host)) stops"
        case .kill(let host): "\(name(host)) is killed"
        case .start(let host): "\(name(host)) starts"
        case .pause(let host): "\(name(host)) stands still"
        case .resume(let host): "\(name(host)) goes on"
        case .program(let host, let index, let act):
            "\(self.host(host).programs[index].name) of \(name(host)): \(act.rawValue)"
        case .avahi(let host, let act): "avahi-daemon of \(name(host)): \(act.rawValue)"
        case .bus(let host, let act): "bus of \(name(host)): \(act.rawValue)"
        case .intrude(let intrusion):
            "\(name(intrusion.by)) comes to \(name(intrusion.at)) with \(intrusion.manner.rawValue)"
        case .clone(let of, let to): "\(name(to)) gets a copy of \(name(of))'s data directory"
        case .backup(let host): "\(name(host))'s data directory is copied"
        case .restore(let host): "\(name(host)) gets the copy of its data directory back"
        case .fillDisk(let host): "\(name(host))'s disk is filled"
        case .freeDisk(let host): "\(name(host))'s disk has capacity again"
        case .clock(let host, let by): "\(name(host))'s wall clock jumps by \(by.words)"
        }
    }

    private func percent(_ per10000: Int) -> String {
        let rest = String(per10000 % 100 + 100).dropFirst()
        return "\(per10000 / 100)" + (rest == "00" ? "" : ".\(rest)") + " %"
    }

    private func pairs(_ paths: Set<HostPath>) -> String {
        let both = paths.filter { path in
            paths.contains(HostPath(from: path.to, to: path.from)) && path.from < path.to
        }
        let oneDirection = paths.filter { !paths.contains(HostPath(from: $0.to, to: $0.from)) }
        let pairs =
            both.sorted().map { "\(name($0.from)) and \(name($0.to))" }
            + oneDirection.sorted().map { "\(name($0.from)) to \(name($0.to))" }
        return pairs.joined(separator: ", ")
    }

    package func words(_ expectation: PlanExpectation) -> String {
        let who = expectation.hosts.map { "on \(list($0)): " } ?? ""
        return who + words(expectation.matter)
    }

    private func words(_ matter: PlanMatter) -> String {
        switch matter {
        case .shown(let session, let url, let withPicture):
            "\(session) shows \(PlanJudge.short(url))" + (withPicture ? " with its picture" : "")
        case .same(nil): "all show the same"
        case .same(let messages?): "all show the same \(messages) messages"
        case .conflict(let session, let heads):
            "one conflict, in \(session), with the same \(heads) heads everywhere"
        case .noConflict: "no conflict"
        case .received(let host, let most): "\(name(host)) received each session \(most) × at most"
        case .linked(let hosts): "\(list(hosts)) are linked"
        case .unlinked(let hosts): "no link between \(list(hosts)) answers"
        case .unbroken(let hosts): "the links of \(list(hosts)) stayed up"
        case .nothingLost: "nothing acknowledged is lost"
        case .stranger(let host): "\(name(host)) learned nothing and left nothing"
        case .turnedAway(let hosts): "\(list(hosts)) turned every intruder away"
        case .duplicate(let hosts): "\(list(hosts)) see two processes with one device"
        }
    }

    private func list(_ hosts: [HostID]) -> String {
        guard hosts.count > 1, let last = hosts.last else { return hosts.map(name).joined() }
        return hosts.dropLast().map(name).joined(separator: ", ") + " and " + name(last)
    }
}

extension Interval {
    /// A duration for people, with no more digits than are of interest.
    package var words: String {
        let milliseconds = nanoseconds / 1_000_000
        if abs(milliseconds) < 1_000 { return "\(milliseconds) ms" }
        let (days, rest) = milliseconds.quotientAndRemainder(dividingBy: 86_400_000)
        if days != 0, rest == 0 { return "\(days) d" }
        let tenths = milliseconds / 100
        return tenths % 10 == 0 ? "\(tenths / 10) s" : "\(tenths / 10).\(abs(tenths % 10)) s"
    }
}
