import Messages

extension LiarsDice {
    /// The icon of the app, as SVG: a cup over a die.
    nonisolated public static let icon = Data(
        """
        <svg xmlns="http://www.w3.org/2000/svg" width="64" height="64" viewBox="0 0 64 64">
        <rect width="64" height="64" rx="14" fill="#2c4a3e"/>
        <path d="M16 10h24l6 32H10z" fill="#b5793f"/>
        <path d="M13 26h30" stroke="#8a5a3c" stroke-width="4"/>
        <rect x="33" y="33" width="20" height="20" rx="4" fill="#fbf5e6"/>
        <circle cx="38" cy="38" r="2" fill="#222"/>
        <circle cx="43" cy="43" r="2" fill="#222"/>
        <circle cx="48" cy="48" r="2" fill="#222"/>
        </svg>
        """.utf8
    )
}
