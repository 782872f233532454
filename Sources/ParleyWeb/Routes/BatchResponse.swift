import Foundation
import Hummingbird
import NIOCore
import ParleyAPI
import ParleyNode
import ServiceLifecycle

/// Sends many messages, one JSON document per line, and answers each on a line when it is
/// acknowledged.
///
/// Messages are sent in the order of their lines, without waiting for one another.
struct BatchResponse: Sendable {
    let node: Node
    let conversation: String

    /// The number of messages that may be unanswered at a time.
    private static let window = 256
    /// The limit of a line, in bytes.
    private static let lineBytesMax = ControlRoutes.bodyBytesMax

    func response(to request: Request) -> Response {
        Response(
            status: .ok,
            headers: [.contentType: "application/x-ndjson"],
            body: ResponseBody { writer in
                try await run(request.body, &writer)
                try await writer.finish(nil)
            }
        )
    }

    private func run(_ body: RequestBody, _ writer: inout any ResponseBodyWriter) async throws {
        let answers = AnswerQueue()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                do {
                    // When the node stops, the input of the batch ends, so that the stop is not
                    // delayed.
                    _ = try await cancelWhenGracefulShutdown { try await send(body, answers) }
                } catch {
                    await answers.end()
                    throw error
                }
                await answers.end()
            }
            do {
                while let answer = await answers.next() { try await writer.write(answer) }
            } catch {
                await answers.end()
                group.cancelAll()
                throw error
            }
            try await group.waitForAll()
        }
    }

    /// Sends the message of every line; returns when all answers were taken.
    private func send(_ body: RequestBody, _ answers: AnswerQueue) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            var lines = BatchLines()
            var underWay = 0
            func add(_ some: [BatchLine]) async throws {
                while underWay + some.count > Self.window {
                    try await group.next()
                    underWay -= 1
                }
                underWay += some.count
                for (line, step) in zip(some, await start(some)) {
                    group.addTask { await answers.add(try await answer(step, line.number)) }
                }
            }
            for try await part in body {
                lines.append(part)
                while let some = lines.take(atMost: Self.window) { try await add(some) }
                guard lines.waitingBytes <= Self.lineBytesMax else {
                    let problem = Problem(.tooLarge, "The line is too long; the batch ends here.")
                    await answers.add(try line(problem, lines.number + 1))
                    return
                }
            }
            try await add(lines.takeLast())
            try await group.waitForAll()
        }
    }
}

// MARK: Lines

extension BatchResponse {
    /// The state of a line: refused, or sent and not answered yet.
    private enum Step: Sendable {
        case refused(Problem)
        case underWay(Task<SentMessage, any Error>, SessionID)
    }

    /// Passes the messages of lines to the node in one go, under one signature.
    private func start(_ lines: [BatchLine]) async -> [Step] {
        let drafts = lines.map { line in Result { () throws(Problem) in try draft(of: line) } }
        return await Self.send(drafts, to: conversation, on: node)
    }

    private func draft(of line: BatchLine) throws(Problem) -> (Draft, SendWait) {
        let document: SendDocument
        do {
            document = try JSON.decode(SendDocument.self, from: Data(line.bytes.readableBytesView))
        } catch {
            throw Problem.notExpected("The line", error)
        }
        return try document.draft()
    }

    /// Starts to send messages.
    ///
    /// The function is isolated to the node, because tasks made on the node's executor start in
    /// their order.
    private static func send(
        _ drafts: [Result<(Draft, SendWait), Problem>],
        to conversation: String,
        on node: isolated Node
    ) -> [Step] {
        drafts.map { draft in
            switch draft {
            case .failure(let problem): return .refused(problem)
            case .success((let draft, let wait)):
                let task = Task { try await node.send(draft, to: conversation, wait: wait) }
                return .underWay(task, draft.session)
            }
        }
    }

    /// Waits for the answer to a line.
    private func answer(_ step: Step, _ number: Int) async throws -> ByteBuffer {
        switch step {
        case .refused(let problem): return try line(problem, number)
        case .underWay(let task, let session):
            do {
                var sent = try await task.value
                sent.line = number
                return try Self.line(sent)
            } catch let error as NodeError {
                return try line(Problem(error).naming(session: session.description), number)
            }
        }
    }

    private func line(_ problem: Problem, _ number: Int) throws -> ByteBuffer {
        var problem = problem
        problem.conversation = conversation
        problem.line = number
        return try Self.line(problem)
    }

    private static func line(_ document: some Encodable) throws -> ByteBuffer {
        var buffer = ByteBuffer(bytes: try JSON.encode(document))
        buffer.writeString("\n")
        return buffer
    }
}
