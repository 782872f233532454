// swift-tools-version: 6.0

import PackageDescription

let package = Package(
    name: "NoughtsAndCrosses",
    products: [
        .executable(name: "NoughtsAndCrosses", targets: ["NoughtsAndCrosses"]),
        .executable(name: "NoughtsAndCrosses6", targets: ["NoughtsAndCrosses6"]),
    ],
    dependencies: [.package(name: "parley", path: "../../..")],
    targets: [
        .executableTarget(
            name: "NoughtsAndCrosses",
            dependencies: [.product(name: "Messages", package: "parley")],
            swiftSettings: [.swiftLanguageMode(.v5)]
        ),
        // The same files once more, in the other mode; `run.sh` makes the link.
        .executableTarget(
            name: "NoughtsAndCrosses6",
            dependencies: [.product(name: "Messages", package: "parley")],
            swiftSettings: [.swiftLanguageMode(.v6)]
        ),
    ]
)
