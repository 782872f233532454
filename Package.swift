// swift-tools-version: 6.2

import PackageDescription

/// One set of rules for every target of ours: `docs/architecture.md` says why each is on.
let rules: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// The rules for tests: what is tested is optimized, as it is in use, and the tests are not.
///
/// Their macros expand to code that takes the optimizer longer than all that they test. Nothing
/// imports a module of tests, so its interface is not made ahead of it, in a pass of its own.
let testRules = rules + [.unsafeFlags(["-Onone", "-no-emit-module-separately-wmo"])]

/// The sample apps are written as their users' would be, in a package without settings.
///
/// The names of their targets begin with `Sample`, as no package that depends on this one may have
/// a target of the same name.
let appRules: [SwiftSetting] = [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]

/// Code as it is written for iOS in language mode 5.
///
/// It calls the main actor from closures without one, which mode 5 allows with a warning. Its
/// `import os` is that of OSLog: a module of the name `os` would change what other packages
/// compile.
let portedRules: [SwiftSetting] = [
    .swiftLanguageMode(.v5), .unsafeFlags(["-suppress-warnings", "-module-alias", "os=OSLog"]),
]

let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let metrics = Target.Dependency.product(name: "Metrics", package: "swift-metrics")
let coreMetrics = Target.Dependency.product(name: "CoreMetrics", package: "swift-metrics")
let arguments = Target.Dependency.product(
    name: "ArgumentParser",
    package: "swift-argument-parser"
)
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let sqlite = Target.Dependency.product(name: "GRDBSQLite", package: "GRDB.swift")
let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioPosix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")
let nioEmbedded = Target.Dependency.product(name: "NIOEmbedded", package: "swift-nio")
let nioHTTP1 = Target.Dependency.product(name: "NIOHTTP1", package: "swift-nio")
let hummingbird = Target.Dependency.product(name: "Hummingbird", package: "hummingbird")
let hummingbirdCore = Target.Dependency.product(
    name: "HummingbirdCore",
    package: "hummingbird"
)
let serviceLifecycle = Target.Dependency.product(
    name: "ServiceLifecycle",
    package: "swift-service-lifecycle"
)
let yams = Target.Dependency.product(name: "Yams", package: "Yams")
let unixSignals = Target.Dependency.product(
    name: "UnixSignals",
    package: "swift-service-lifecycle"
)

let package = Package(
    name: "parley",
    products: [
        .executable(name: "parley", targets: ["parley"]),
        .library(name: "Messages", targets: ["Messages"]),
        .library(name: "UIKit", targets: ["UIKit"]),
        .library(name: "OSLog", targets: ["OSLog"]),
        .library(name: "MessagesHost", targets: ["MessagesHost"]),
        .library(name: "MessagesTesting", targets: ["MessagesTesting"]),
        .library(name: "ParleyNode", targets: ["ParleyNode"]),
        .library(name: "ParleyCommand", targets: ["ParleyCommand"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", exact: "2.13.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
        // Without its trait `ConfigurationSupport`, which compiles one more package.
        .package(
            url: "https://github.com/hummingbird-project/hummingbird",
            exact: "2.28.1",
            traits: ["FullFoundation"]
        ),
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
        .package(
            url: "https://github.com/swift-server/swift-service-lifecycle",
            exact: "2.13.0"
        ),
        .package(url: "https://github.com/jpsim/Yams", exact: "6.2.2"),
    ],
    targets: [
        .systemLibrary(
            name: "CAvahi",
            pkgConfig: "avahi-client",
            providers: [.apt(["libavahi-client-dev"])]
        ),
        .systemLibrary(
            name: "COpenSSL",
            pkgConfig: "openssl",
            providers: [.apt(["libssl-dev"])]
        ),
        .systemLibrary(
            name: "CSodium",
            pkgConfig: "libsodium",
            providers: [.apt(["libsodium-dev"])]
        ),
        .systemLibrary(
            name: "CQREncode",
            pkgConfig: "libqrencode",
            providers: [.apt(["libqrencode-dev"])]
        ),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .target(name: "Messages", swiftSettings: rules),
        .target(name: "UIKit", dependencies: ["Messages"], swiftSettings: rules),
        .target(name: "OSLog", dependencies: [logging], swiftSettings: rules),
        .target(name: "ParleyCore", swiftSettings: rules),
        .target(
            name: "ParleyKeys",
            dependencies: ["ParleyCore", "COpenSSL", "CSodium"],
            swiftSettings: rules
        ),
        .target(name: "CLinux", cSettings: [.treatAllWarnings(as: .error)]),
        .target(name: "ParleyLoop", dependencies: ["CLinux"], swiftSettings: rules),
        .target(
            name: "ParleyTransport",
            dependencies: ["ParleyCore", "ParleyLoop", "COpenSSL"],
            swiftSettings: rules
        ),
        .target(
            name: "ParleyDiscovery",
            dependencies: ["CLinux", "ParleyLoop", "CAvahi"],
            swiftSettings: rules
        ),
        .target(
            name: "ParleyStore",
            dependencies: ["ParleyCore", grdb, sqlite],
            swiftSettings: rules
        ),
        .target(name: "ParleyValues", swiftSettings: rules),
        .target(
            name: "ParleyNode",
            dependencies: [
                "CLinux", "ParleyCore", "ParleyKeys", "ParleyLoop", "ParleyTransport",
                "ParleyDiscovery",
                "ParleyStore", "ParleyValues", logging, metrics, coreMetrics,
            ],
            swiftSettings: rules
        ),
        .target(
            name: "SampleTicTacToe",
            dependencies: ["Messages", "MessagesHost"],
            path: "Sources/Apps/TicTacToe",
            swiftSettings: appRules
        ),
        .target(
            name: "SampleLiarsDice",
            dependencies: ["Messages", "MessagesHost"],
            path: "Sources/Apps/LiarsDice",
            swiftSettings: appRules
        ),
        .target(
            name: "SampleDrawAndGuess",
            dependencies: ["Messages", "MessagesHost"],
            path: "Sources/Apps/DrawAndGuess",
            swiftSettings: appRules
        ),
        .target(
            name: "SampleIceCreamBuilder",
            dependencies: ["Messages"],
            path: "Sources/Apps/IceCreamBuilder",
            swiftSettings: appRules
        ),
        .target(
            name: "SampleIconCatalogue",
            path: "Sources/Apps/IconCatalogue",
            swiftSettings: appRules
        ),
        .target(
            name: "SampleIconStore",
            dependencies: ["Messages", "SampleIconCatalogue"],
            path: "Sources/Apps/IconStore",
            swiftSettings: appRules
        ),
        .target(
            name: "SampleMoodAndFood",
            dependencies: ["Messages"],
            path: "Sources/Apps/MoodAndFood",
            swiftSettings: appRules
        ),
        .target(
            name: "MessagesHost",
            dependencies: ["Messages", "ParleyNode", logging],
            swiftSettings: rules
        ),
        .target(
            name: "MessagesTesting",
            dependencies: [
                "Messages", "MessagesHost", "ParleyNode", "ParleyCore", "ParleyFaults",
            ],
            swiftSettings: rules
        ),
        .target(name: "ParleyAPI", dependencies: ["ParleyValues"], swiftSettings: rules),
        // The files in `assets`, and the script, are embedded by the C compiler.
        .target(name: "CPageAssets", exclude: ["assets"]),
        .target(name: "CLab", exclude: ["lab.sh"]),
        .target(
            name: "ParleyWeb",
            dependencies: [
                "CPageAssets", "CQREncode", "CSodium", "CZlib", "Messages", "MessagesHost",
                "ParleyAPI", "ParleyLoop", "ParleyNode", "ParleyProxy", "ParleyTransport",
                hummingbird,
                hummingbirdCore, nioCore, nioHTTP1, nioPosix, logging, serviceLifecycle,
            ],
            swiftSettings: rules
        ),
        .target(
            name: "ParleyProxy",
            dependencies: ["ParleyLoop"],
            swiftSettings: rules
        ),
        .target(name: "ParleyYAML", dependencies: ["ParleyCore", yams], swiftSettings: rules),
        .target(
            name: "ParleyFaults",
            dependencies: ["ParleyCore", "ParleyYAML"],
            swiftSettings: rules
        ),
        .target(
            name: "ParleyCommand",
            dependencies: [
                "CLab", "Messages", "MessagesHost", "ParleyAPI", "ParleyCore", "ParleyDiscovery",
                "ParleyKeys", "ParleyLoop", "ParleyFaults", "ParleyNode", "ParleyProxy",
                "ParleyTransport", "ParleyWeb", "ParleyYAML",
                arguments, nioCore, nioPosix, nioHTTP1,
                serviceLifecycle, unixSignals, logging,
            ],
            swiftSettings: rules
        ),
        .executableTarget(
            name: "parley",
            dependencies: [
                "MessagesHost", "ParleyCommand", "SampleDrawAndGuess", "SampleIceCreamBuilder",
                "SampleIconStore", "SampleLiarsDice", "SampleMoodAndFood", "SampleTicTacToe",
            ],
            swiftSettings: rules
        ),
        .executableTarget(
            name: "store-benchmark",
            dependencies: ["ParleyStore"],
            path: "Tests/Benchmarks/StoreBenchmark",
            swiftSettings: rules
        ),
        .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: rules),
        .target(
            name: "WebDriver",
            dependencies: ["TestSupport"],
            path: "Tests/WebDriver",
            swiftSettings: rules
        ),
        .target(
            name: "PageSupport",
            dependencies: ["ParleyAPI", "TestSupport", "WebDriver"],
            path: "Tests/PageSupport",
            swiftSettings: rules
        ),
        .target(
            name: "ModeFive",
            dependencies: ["OSLog", "UIKit"],
            path: "Tests/ModeFive",
            swiftSettings: portedRules
        ),
        .target(
            name: "StickerSheet",
            dependencies: ["Messages"],
            path: "Tests/StickerSheet",
            swiftSettings: appRules
        ),
        .executableTarget(
            name: "page-apps",
            dependencies: ["MessagesHost", "ModeFive", "ParleyCommand", "StickerSheet"],
            path: "Tests/PageApps",
            swiftSettings: rules
        ),
        // The outside package of that name, whose apps the harness runs.
        .target(
            name: "PortedApps",
            dependencies: ["OSLog", "UIKit"],
            path: "Tests/OutsidePackages/RootControllers/Sources/RootControllers",
            exclude: ["Check.swift"],
            swiftSettings: portedRules
        ),
        .testTarget(
            name: "MessagesTests",
            dependencies: ["Messages", "ModeFive", "OSLog", "TestSupport", "UIKit"],
            // A file with `import Testing` and a module of the name `UIKit` makes the compiler look
            // for a part of Swift Testing that only Apple's systems have.
            swiftSettings: testRules + [
                .unsafeFlags(["-Xfrontend", "-disable-cross-import-overlays"])
            ]
        ),
        .testTarget(
            name: "ParleyCoreTests",
            dependencies: ["ParleyCore", "ParleyFaults", "TestSupport"],
            exclude: ["Scripts"],
            swiftSettings: testRules
        ),
        .testTarget(
            name: "ParleyFaultsTests",
            dependencies: ["ParleyCore", "ParleyFaults", "ParleyYAML", "TestSupport"],
            swiftSettings: testRules
        ),
        .testTarget(
            name: "ParleyKeysTests",
            dependencies: ["ParleyCore", "ParleyKeys", "TestSupport"],
            swiftSettings: testRules
        ),
        .testTarget(
            name: "ParleyTransportTests",
            dependencies: [
                "ParleyCore", "ParleyLoop", "ParleyNode", "ParleyTransport", "COpenSSL",
                "TestSupport",
            ],
            swiftSettings: testRules
        ),
        .testTarget(
            name: "ParleyProxyTests",
            dependencies: ["ParleyLoop", "ParleyProxy", "TestSupport"],
            exclude: ["Vectors"],
            swiftSettings: testRules
        ),
        .testTarget(
            name: "ParleyDiscoveryTests",
            dependencies: ["ParleyDiscovery", "ParleyLoop", "CAvahi", "TestSupport"],
            swiftSettings: testRules
        ),
        .testTarget(
            name: "ParleyNodeTests",
            dependencies: [
                "ParleyCore", "ParleyDiscovery", "ParleyKeys", "ParleyLoop", "ParleyNode",
                "ParleyStore", "ParleyTransport", "TestSupport", grdb, logging,
            ],
            swiftSettings: testRules
        ),
        .testTarget(
            name: "MessagesHostTests",
            dependencies: [
                "Messages", "MessagesHost", "MessagesTesting", "ModeFive", "ParleyNode",
                "PortedApps", "SampleLiarsDice", "SampleTicTacToe", "TestSupport",
            ],
            swiftSettings: testRules
        ),
        .testTarget(
            name: "SampleTests",
            dependencies: [
                "Messages", "MessagesHost", "MessagesTesting", "ParleyNode",
                "SampleDrawAndGuess", "SampleIceCreamBuilder", "SampleIconStore",
                "SampleMoodAndFood", "TestSupport",
            ],
            swiftSettings: testRules
        ),
        .testTarget(
            name: "ParleyWebTests",
            dependencies: [
                "Messages", "MessagesHost", "ParleyAPI", "ParleyCore", "ParleyNode", "ParleyWeb",
                "SampleTicTacToe", "StickerSheet", "TestSupport", hummingbird, logging, nioCore,
                nioEmbedded, yams,
            ],
            swiftSettings: testRules
        ),
        .testTarget(
            name: "ParleyCommandTests",
            dependencies: [
                "ParleyAPI", "ParleyCommand", "ParleyCore", "ParleyNode", "ParleyStore",
                "ParleyWeb", "TestSupport", "page-apps", "parley", grdb, logging,
            ],
            swiftSettings: testRules
        ),
        .testTarget(
            name: "ParleyStoreTests",
            dependencies: ["ParleyStore", "TestSupport", grdb],
            exclude: ["Fixtures"],
            swiftSettings: testRules
        ),
        .testTarget(
            name: "OutsideTests",
            dependencies: ["TestSupport"],
            swiftSettings: testRules
        ),
        .testTarget(name: "LabTests", dependencies: ["TestSupport"], swiftSettings: testRules),
        .testTarget(
            name: "PageTests",
            dependencies: [
                "PageSupport", "ParleyAPI", "ParleyCommand", "TestSupport", "WebDriver",
                "page-apps", "parley",
            ],
            swiftSettings: testRules
        ),
        .testTarget(
            name: "VectorTests",
            dependencies: ["ParleyCore", "ParleyKeys", "TestSupport"],
            swiftSettings: testRules
        ),
        .testTarget(name: "TidyTests", swiftSettings: testRules),
        // The load generator for other servers and the relay that is the limit of all of them.
        .target(
            name: "CBrokerLoad",
            dependencies: ["COpenSSL"],
            path: "Tests/Benchmarks/CBrokerLoad",
            cSettings: [.define("_GNU_SOURCE"), .treatAllWarnings(as: .error)]
        ),
        .testTarget(
            name: "BrokerLoadTests",
            dependencies: ["CBrokerLoad", "TestSupport"],
            swiftSettings: testRules
        ),
        .executableTarget(
            name: "parley-bench",
            dependencies: [
                "CBrokerLoad", "PageSupport", "ParleyAPI", "ParleyCore", "ParleyFaults",
                "ParleyKeys", "ParleyLoop", "ParleyNode", "ParleyTransport", "TestSupport",
                "WebDriver", logging,
            ],
            path: "Tests/Benchmarks/ParleyBench",
            swiftSettings: rules
        ),
    ]
)
