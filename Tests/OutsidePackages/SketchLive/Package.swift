// swift-tools-version: 6.0

import PackageDescription

let package = Package(
    name: "SketchLive",
    products: [
        .executable(name: "SketchLive", targets: ["SketchLive"]),
        .executable(name: "SketchLive6", targets: ["SketchLive6"]),
    ],
    dependencies: [.package(name: "parley", path: "../../..")],
    targets: [
        .executableTarget(
            name: "SketchLive",
            dependencies: [.product(name: "UIKit", package: "parley")],
            swiftSettings: [.swiftLanguageMode(.v5)]
        ),
        // The same files once more, in the other mode; `run.sh` makes the link.
        .executableTarget(
            name: "SketchLive6",
            dependencies: [.product(name: "UIKit", package: "parley")],
            swiftSettings: [.swiftLanguageMode(.v6)]
        ),
    ]
)
