// swift-tools-version: 6.0

import PackageDescription

let package = Package(
    name: "TripPlanner",
    products: [
        .executable(name: "TripPlanner", targets: ["TripPlanner"]),
        .executable(name: "TripPlanner6", targets: ["TripPlanner6"]),
    ],
    dependencies: [.package(name: "parley", path: "../../..")],
    targets: [
        .executableTarget(
            name: "TripPlanner",
            dependencies: [.product(name: "UIKit", package: "parley")],
            swiftSettings: [.swiftLanguageMode(.v5)]
        ),
        // The same files once more, in the other mode; `run.sh` makes the link.
        .executableTarget(
            name: "TripPlanner6",
            dependencies: [.product(name: "UIKit", package: "parley")],
            swiftSettings: [.swiftLanguageMode(.v6)]
        ),
    ]
)
