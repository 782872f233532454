// swift-tools-version: 6.0

import PackageDescription

let package = Package(
    name: "LunchPoll",
    products: [
        .executable(name: "LunchPoll", targets: ["LunchPoll"]),
        .executable(name: "LunchPoll6", targets: ["LunchPoll6"]),
    ],
    dependencies: [.package(name: "parley", path: "../../..")],
    targets: [
        .executableTarget(
            name: "LunchPoll",
            dependencies: [.product(name: "Messages", package: "parley")],
            swiftSettings: [.swiftLanguageMode(.v5)]
        ),
        // The same files once more, in the other mode; `run.sh` makes the link.
        .executableTarget(
            name: "LunchPoll6",
            dependencies: [.product(name: "Messages", package: "parley")],
            swiftSettings: [.swiftLanguageMode(.v6)]
        ),
    ]
)
