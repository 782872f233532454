// swift-tools-version: 6.2

import PackageDescription

// The core with counters, the simulator without its plans, and the program that chooses seeds.
// `run.sh` copies their sources beside this file, in a scratch folder, and builds them there.

let rules: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "reach",
    targets: [
        .target(
            name: "ParleyCore",
            swiftSettings: rules + [.unsafeFlags(["-profile-generate"])]
        ),
        .target(name: "ParleyFaults", dependencies: ["ParleyCore"], swiftSettings: rules),
        .target(name: "Counters"),
        .executableTarget(
            name: "reach",
            dependencies: ["Counters", "ParleyFaults"],
            swiftSettings: rules,
            linkerSettings: [.unsafeFlags(["-profile-generate"])]
        ),
    ]
)
