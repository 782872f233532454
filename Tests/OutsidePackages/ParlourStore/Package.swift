// swift-tools-version: 6.0

import PackageDescription

let package = Package(
    name: "ParlourStore",
    products: [
        .executable(name: "ParlourStore", targets: ["ParlourStore"]),
        .executable(name: "ParlourStore6", targets: ["ParlourStore6"]),
    ],
    dependencies: [.package(name: "parley", path: "../../..")],
    targets: [
        .executableTarget(
            name: "ParlourStore",
            dependencies: [.product(name: "UIKit", package: "parley")],
            resources: [.process("Pictures")],
            swiftSettings: [.swiftLanguageMode(.v5)]
        ),
        // The same files once more, in the other mode; `run.sh` makes the link.
        .executableTarget(
            name: "ParlourStore6",
            dependencies: [.product(name: "UIKit", package: "parley")],
            resources: [.process("Pictures")],
            swiftSettings: [.swiftLanguageMode(.v6)]
        ),
    ]
)
