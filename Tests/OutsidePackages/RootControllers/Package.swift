// swift-tools-version: 6.0

import PackageDescription

let package = Package(
    name: "RootControllers",
    products: [.executable(name: "RootControllers", targets: ["RootControllers"])],
    dependencies: [.package(name: "parley", path: "../../..")],
    targets: [
        // Only in mode 5: that such code compiles there, and not in mode 6, is the same as on iOS.
        .executableTarget(
            name: "RootControllers",
            dependencies: [
                .product(name: "OSLog", package: "parley"),
                .product(name: "UIKit", package: "parley"),
            ],
            swiftSettings: [
                .swiftLanguageMode(.v5), .unsafeFlags(["-module-alias", "os=OSLog"]),
            ]
        )
    ]
)
