import Foundation

let words = CommandLine.arguments.dropFirst()
Processor.pin(words)
do {
    switch words.first {
    case "node": try await NodeChild.run(words.dropFirst())
    case "local": try await LocalChild.run(words.dropFirst())
    case "floor": try FloorChild.run()
    case "broker": try BrokerChild.run(words.dropFirst())
    case "strangers": try StrangersChild.run(words.dropFirst())
    case "program": try await ProgramChild.run(words.dropFirst())
    case "page": try await PageChild.run(words.dropFirst())
    case "machine": try MachineRun.run(words.dropFirst())
    default: try await Run(try Options(words)).run()
    }
} catch {
    FileHandle.standardError.write(Data("parley-bench: \(error)\n".utf8))
    exit(error is BenchError ? 1 : 70)
}
