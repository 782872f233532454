package import ParleyNode

extension AppPanel {
    /// The ID of the selected message; nil if there is none, or if it is not sent yet.
    package var selectedID: MessageID? { machine.selection.flatMap { known[$0]?.id } }
}
