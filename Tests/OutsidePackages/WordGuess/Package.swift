// swift-tools-version: 6.0

import PackageDescription

let package = Package(
    name: "WordGuess",
    products: [
        .executable(name: "WordGuess", targets: ["WordGuess"]),
        .executable(name: "WordGuess6", targets: ["WordGuess6"]),
    ],
    dependencies: [.package(name: "parley", path: "../../..")],
    targets: [
        .executableTarget(
            name: "WordGuess",
            dependencies: [.product(name: "Messages", package: "parley")],
            swiftSettings: [.swiftLanguageMode(.v5)]
        ),
        // The same files once more, in the other mode; `run.sh` makes the link.
        .executableTarget(
            name: "WordGuess6",
            dependencies: [.product(name: "Messages", package: "parley")],
            swiftSettings: [.swiftLanguageMode(.v6)]
        ),
    ]
)
