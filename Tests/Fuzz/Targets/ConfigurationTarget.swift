import Glibc
import ParleyAPI

/// The file of a node's configuration.
struct ConfigurationTarget: FuzzTarget {
    private let path = "/dev/shm/parley-fuzz-\(getpid()).yaml"

    func run(_ bytes: [UInt8]) {
        FuzzedFile.write(bytes, to: path)
        do throws(Problem) {
            let options = try Configuration(file: path, environment: [:]).options
            for key in ConfigurationKey.all { _ = key.text(options) }
        } catch {
            promise(!error.message.isEmpty, "a refusal without words")
        }
    }
}
