// swift-tools-version: 6.2

import PackageDescription

// The core, the simulator without its plans, and the program that writes traces. `run.sh` makes
// links to their sources beside this file, in a scratch folder, and builds them there, without any
// package from elsewhere.

let rules: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "model",
    targets: [
        .target(name: "ParleyCore", swiftSettings: rules),
        .target(
            name: "ParleyFaults",
            dependencies: ["ParleyCore"],
            exclude: ["Plans"],
            swiftSettings: rules
        ),
        .executableTarget(
            name: "traces",
            dependencies: ["ParleyCore", "ParleyFaults"],
            swiftSettings: rules
        ),
    ]
)
