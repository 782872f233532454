import Foundation

/// The certificates of the servers and of their clients, which the command `openssl` makes for one
/// run.
struct Certificates {
    /// The directory of `ca.crt`, and of a `.crt` and a `.key` for `server` and `client`.
    let directory: String

    /// Makes the certificates in a new directory.
    init(in directory: String) throws {
        self.directory = directory
        try FileManager.default.createDirectory(
            atPath: directory,
            withIntermediateDirectories: true
        )
        try openssl(
            "req -x509 -newkey ed25519 -nodes -days 2 -subj /CN=bench"
                + " -keyout ca.key -out ca.crt"
        )
        let extensions = "subjectAltName=IP:127.0.0.1\nextendedKeyUsage=serverAuth,clientAuth\n"
        try extensions.write(
            toFile: directory + "/extensions",
            atomically: false,
            encoding: .utf8
        )
        for name in ["server", "client"] {
            try openssl(
                "req -newkey ed25519 -nodes -subj /CN=\(name) -keyout \(name).key -out \(name).csr"
            )
            try openssl(
                "x509 -req -days 2 -in \(name).csr -CA ca.crt -CAkey ca.key -CAcreateserial"
                    + " -extfile extensions -out \(name).crt"
            )
        }
    }

    private func openssl(_ words: String) throws {
        let process = Process()
        process.executableURL = try Broker.executable("openssl")
        process.arguments = words.split(separator: " ").map(String.init)
        process.currentDirectoryURL = URL(fileURLWithPath: directory)
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw BenchError.system("openssl \(words) failed")
        }
    }
}
