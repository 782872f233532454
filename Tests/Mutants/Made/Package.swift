// swift-tools-version: 6.2

import PackageDescription

// The core with mutants, the simulator without its plans, the program that looks for mutants, and
// the tests of the core. `make.py` copies their sources beside this file, in a scratch folder, and
// builds them there, without any package from elsewhere.

let rules: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// What is tested is optimized, and the tests are not.
let testRules = rules + [.unsafeFlags(["-Onone", "-no-emit-module-separately-wmo"])]

let package = Package(
    name: "mutants",
    targets: [
        .systemLibrary(name: "COpenSSL", pkgConfig: "openssl"),
        .systemLibrary(name: "CSodium", pkgConfig: "libsodium"),
        .target(name: "ParleyCore", swiftSettings: rules),
        .target(name: "ParleyFaults", dependencies: ["ParleyCore"], swiftSettings: rules),
        .target(
            name: "ParleyKeys",
            dependencies: ["ParleyCore", "COpenSSL", "CSodium"],
            swiftSettings: rules
        ),
        .executableTarget(name: "mutants", dependencies: ["ParleyFaults"], swiftSettings: rules),
        .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: rules),
        .testTarget(
            name: "ParleyCoreTests",
            dependencies: ["ParleyCore", "ParleyFaults", "TestSupport"],
            exclude: ["Scripts"],
            swiftSettings: testRules
        ),
        .testTarget(
            name: "VectorTests",
            dependencies: ["ParleyCore", "ParleyKeys", "TestSupport"],
            swiftSettings: testRules
        ),
    ]
)
