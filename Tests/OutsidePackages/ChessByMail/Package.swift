// swift-tools-version: 6.0

import PackageDescription

let package = Package(
    name: "ChessByMail",
    products: [
        .executable(name: "ChessByMail", targets: ["ChessByMail"]),
        .executable(name: "ChessByMail6", targets: ["ChessByMail6"]),
    ],
    dependencies: [.package(name: "parley", path: "../../..")],
    targets: [
        .executableTarget(
            name: "ChessByMail",
            dependencies: [.product(name: "Messages", package: "parley")],
            swiftSettings: [.swiftLanguageMode(.v5)]
        ),
        // The same files once more, in the other mode; `run.sh` makes the link.
        .executableTarget(
            name: "ChessByMail6",
            dependencies: [.product(name: "Messages", package: "parley")],
            swiftSettings: [.swiftLanguageMode(.v6)]
        ),
    ]
)
