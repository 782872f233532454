// swift-tools-version: 6.0

import PackageDescription

let package = Package(
    name: "DiceDuel",
    products: [
        .executable(name: "DiceDuel", targets: ["DiceDuel"]),
        .executable(name: "DiceDuel6", targets: ["DiceDuel6"]),
    ],
    dependencies: [.package(name: "parley", path: "../../..")],
    targets: [
        .executableTarget(
            name: "DiceDuel",
            dependencies: [.product(name: "Messages", package: "parley")],
            swiftSettings: [.swiftLanguageMode(.v5)]
        ),
        // The same files once more, in the other mode; `run.sh` makes the link.
        .executableTarget(
            name: "DiceDuel6",
            dependencies: [.product(name: "Messages", package: "parley")],
            swiftSettings: [.swiftLanguageMode(.v6)]
        ),
    ]
)
