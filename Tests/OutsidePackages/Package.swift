// swift-tools-version: 6.0

import PackageDescription

/// All outside packages at once, so that what they share is built once.
let names = [
    "ChessByMail", "DiceDuel", "LunchPoll", "NoughtsAndCrosses", "ParlourStore", "SketchLive",
    "TripPlanner", "WordGuess",
]

/// A package of files that compile in mode 5 only, as they would for iOS.
let old = "RootControllers"

let package = Package(
    name: "OutsidePackages",
    dependencies: (names + [old]).map { .package(path: $0) },
    targets: [
        .target(
            name: "AllOfThem",
            dependencies: names.flatMap { name in
                [name, name + "6"].map { .product(name: $0, package: name) }
            } + [.product(name: old, package: old)],
            path: "AllOfThem"
        )
    ]
)
