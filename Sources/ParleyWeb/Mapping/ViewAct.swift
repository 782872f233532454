import Foundation
import Messages
import ParleyAPI

/// An action of a person on a view, as a request says it.
struct ViewAct {
    private let steps: [(action: ParleyView.Action, node: ParleyView.Identity)]
    private let version: UInt64

    /// Reads the action of a request.
    ///
    /// - Throws: a `Problem` if something is missing.
    init(_ request: AppRequest) throws(Problem) {
        guard let node = request.node, let version = request.version else {
            throw Problem.badInput("An action needs node, version and kind.")
        }
        let action: ParleyView.Action
        switch request.kind {
        case "press": action = .press
        case "edit": action = .edit(request.text ?? "")
        case "submit": action = .submit(request.text ?? "")
        case "draw": action = .draw(try Self.stroke(request.stroke))
        default: throw Problem.badInput("The kind of an action is press, edit, submit or draw.")
        }
        // The texts come first, in an order that does not depend on how they are stored.
        let fields = (request.fields ?? [:]).sorted { $0.key < $1.key }
        steps =
            fields.map { (ParleyView.Action.edit($0.value), ParleyView.Identity($0.key)) }
            + [(action, ParleyView.Identity(node))]
        self.version = version
    }

    private static func stroke(_ document: StrokeDocument?) throws(Problem) -> ParleyView.Stroke {
        guard let document, document.points.allSatisfy({ $0.count == 2 }) else {
            throw Problem.badInput("To draw needs a stroke, with two numbers for each point.")
        }
        return ParleyView.Stroke(
            points: document.points.map { CGPoint(x: $0[0], y: $0[1]) },
            width: document.width
        )
    }

    /// Carries it out.
    ///
    /// - Throws: a `Problem` that says why nothing more was done.
    @MainActor
    func perform(
        _ body:
            @MainActor (ParleyView.Action, ParleyView.Identity, UInt64) throws(ParleyView
            .ActionError) -> Void
    ) throws(Problem) {
        do throws(ParleyView.ActionError) {
            for step in steps { try body(step.action, step.node, version) }
        } catch {
            throw Problem(error)
        }
    }
}
