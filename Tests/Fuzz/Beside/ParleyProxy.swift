/// Reads what a client sends to the control, up to where names are looked up and sockets opened.
package enum ControlBodies {
    package static func read(_ bytes: [UInt8]) {
        _ = ControlRoute(path: String(decoding: bytes, as: UTF8.self))
        guard let json = try? JSONReader.read(bytes) else { return }
        for isEntry in [false, true] {
            var draft = ProxyDraft()
            do throws(ControlProblem) {
                try draft.take(json, isEntry: isEntry)
                try draft.takeToxics(json)
                check(draft)
            } catch {
                _ = ControlAnswer.problem(error)
            }
        }
        guard var toxic = try? Toxic(json) else { return }
        do throws(ControlProblem) {
            try toxic.takeToxicity(json)
            try toxic.take(json)
        } catch {
            _ = ControlAnswer.problem(error)
        }
        promise((try? JSONReader.read(Array(toxic.json.utf8))) != nil)
    }

    private static func check(_ draft: ProxyDraft) {
        _ = try? AddressText(draft.listen)
        _ = try? AddressText(draft.upstream)
        for toxic in draft.toxics { promise((try? JSONReader.read(Array(toxic.json.utf8))) != nil) }
    }

    private static func promise(_ isJSON: Bool) {
        guard isJSON else { preconditionFailure("broken: a toxic is shown as what is no JSON") }
    }
}
