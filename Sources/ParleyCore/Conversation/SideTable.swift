/// The sessions of a conversation with a sticker or an addition among their heads.
struct SideTable: Sendable {
    /// What each sticker or addition is on, by the dot of the head.
    private var targets: [Dot: SideTarget] = [:]
    /// The sessions on each target, in order of arrival.
    private var sessions: [SideTarget: Few<Int32>] = [:]

    /// Notes that the head of a session is on a target.
    mutating func place(_ head: Dot, of session: Int32, on target: SideTarget) {
        guard targets.updateValue(target, forKey: head) == nil else { return }
        sessions[target, default: []].append(session)
    }

    /// Forgets a head that was replaced or dropped.
    mutating func remove(_ head: Dot, of session: Int32) {
        guard !targets.isEmpty, let target = targets.removeValue(forKey: head),
            var others = sessions[target], let index = others.firstIndex(of: session)
        else { return }
        others.remove(at: index)
        sessions[target] = others.isEmpty ? nil : others
    }

    /// The latest sessions on a target, at most `count`.
    func sessions(on target: SideTarget, last count: Int) -> [Int32] {
        sessions[target]?.suffix(count) ?? []
    }
}
