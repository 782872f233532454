import Messages

extension IceCreamBuilder {
    /// The icon of the app, as SVG: three scoops in a bowl.
    nonisolated public static let icon = Data(
        """
        <svg xmlns="http://www.w3.org/2000/svg" width="64" height="64" viewBox="0 0 64 64">
        <rect width="64" height="64" rx="14" fill="#ffe3d3"/>
        <circle cx="23" cy="30" r="11" fill="#9d6fd0"/>
        <circle cx="41" cy="30" r="11" fill="#f48fb1"/>
        <circle cx="32" cy="21" r="11" fill="#fff6f0"/>
        <circle cx="35" cy="10" r="5" fill="#e8344e"/>
        <path d="M11 35h42q-2 19-21 19t-21-19z" fill="#dfa35a"/>
        <path d="M17 37l14 16M29 37l12 14M47 37l-14 16M35 37l-12 14" stroke="#b87333"
        stroke-width="2"/>
        </svg>
        """.utf8
    )
}
