import Foundation
import Messages

final class Wire: MSConversation {
    var sent: [MSMessage] = []

    override func send(
        _ message: MSMessage,
        completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        let count = message.url?.absoluteString.count ?? 0
        guard count <= 5000 else {
            let code = MSMessageErrorCode.urlExceedsMaxSize.rawValue
            completionHandler?(NSError(domain: MSMessagesErrorDomain, code: code))
            return
        }
        sent.append(message)
        completionHandler?(nil)
    }
}

/// Uses the app as a person would; ends the process if something is wrong.
@main
@MainActor
struct Check {
    static func main() async throws {
        let controller = DuelViewController()
        let wire = Wire()
        controller.duel.throwsOfDice = ["a": [3, 4], "b": [6, 6]]
        await controller.sendThrow(in: wire)
        precondition(controller.outcome == .sent)
        precondition(wire.sent[0].url?.absoluteString == "duel?a=3,4&b=6,6")
        precondition(wire.sent[0].shouldExpire && wire.sent[0].session == nil)
        precondition(Duel(wire.sent[0].url).leader == "b")
        controller.duel.throwsOfDice["c"] = Array(repeating: 6, count: 3000)
        await controller.sendThrow(in: wire)
        precondition(controller.outcome == .tooLong)

        // Nobody is behind this one: it fails, and says so.
        let nobody = MSConversation()
        controller.duel = Duel()
        await controller.sendThrow(in: nobody)
        precondition(controller.outcome == .refused(MSMessageErrorCode.unknown.rawValue))
        controller.outcome = nil
        controller.sendWithHandler(in: nobody)
        while controller.outcome == nil { await Task.yield() }
        precondition(controller.outcome == .refused(-1))
        print("DiceDuel works")
    }
}
