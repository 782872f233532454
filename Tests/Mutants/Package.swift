// swift-tools-version: 6.2

import PackageDescription

// The core, the simulator without its plans, and the program that looks for mutants. `run.sh`
// copies their sources beside this file, in a scratch folder, and builds them there, without any
// package from elsewhere.

let rules: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "mutants",
    targets: [
        .target(name: "ParleyCore", swiftSettings: rules),
        .target(name: "ParleyFaults", dependencies: ["ParleyCore"], swiftSettings: rules),
        .executableTarget(name: "mutants", dependencies: ["ParleyFaults"], swiftSettings: rules),
    ]
)
