import ArgumentParser
import Foundation
import ParleyAPI

/// `parley picture`.
struct PictureCommand: NodeRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "picture",
        abstract: "Save the picture of a session's message to a file.",
        discussion: """
              parley picture UUID --save board.png
              parley picture UUID --save - | display

            The exit code is \(ExitStatus.notYet.rawValue) while the picture has not arrived.
            """
    )
    @Argument(help: "The session's UUID.") var session: String
    @Option(help: ArgumentHelp("The file to write; - is standard output.", valueName: "file"))
    var save: String
    @Option(help: ArgumentHelp("Another head of the session than the shown one.", valueName: "id"))
    var message: String?
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard !save.isEmpty else { throw ValidationError("--save takes the path of a file, or -.") }
        guard save != "-" || !common.json else {
            throw ValidationError("--json and --save - both write to standard output.")
        }
    }

    func run(_ client: ControlClient) async throws {
        let path = "sessions/\(PathText.encoded(session))"
        let detail = try await client.get(path, as: SessionDetail.self)
        let (entry, image) = try picture(of: detail)
        let bytes = try await client.bytes(
            path + "/messages/\(entry.id)/picture"
        )
        guard save != "-" else { return Output.standard.bytes(bytes) }
        do throws(Problem) {
            try OutputFile(save, option: "--save").write(bytes)
        } catch {
            throw error.naming(session: detail.session.description)
        }
        let saved = SavedPictureDocument(
            session: detail.session,
            id: entry.id,
            file: save,
            sha256: image.sha256,
            type: image.type,
            bytes: bytes.count
        )
        if common.json { return try Output.standard.document(saved) }
        let kind = "\(TerminalText.safe(image.type)), \(TerminalText.size(bytes.count))"
        Output.standard.line("Saved \(TerminalText.safe(save)) (\(kind)).")
    }

    /// The message of the options and the description of its picture, which has arrived.
    private func picture(of detail: SessionDetail) throws -> (Message, PictureInfo) {
        let heads = [detail.shown] + detail.others
        guard
            let entry = message.map({ id in heads.first { $0.id.description == id } })
                ?? detail.shown
        else {
            throw Problem(
                .unknownMessage,
                "The session has no head \((message ?? "").quoted).",
                hint: "See: parley show \(detail.session)"
            ).naming(session: detail.session.description)
        }
        var problem: Problem
        switch entry.picture {
        case let image? where image.isHere: return (entry, image)
        case .some:
            problem = Problem(
                .notYet,
                "The picture of message \(entry.id) has not arrived yet.",
                hint: "It comes from the nodes that have it. See: parley peers"
            )
        case nil:
            problem = Problem(.unknownMessage, "Message \(entry.id) has no picture.")
        }
        problem.id = entry.id.description
        throw problem.naming(session: detail.session.description)
    }
}

/// The document of `picture --json`.
struct SavedPictureDocument: Codable, Hashable, Sendable {
    var session: SessionID
    var id: MessageID
    var file: String
    var sha256: String
    var type: String
    var bytes: Int
}
