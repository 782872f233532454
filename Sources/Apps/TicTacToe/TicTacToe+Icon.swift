import Messages

extension TicTacToe {
    /// The icon of the app, as SVG: a cross, a ring, and the lines between them.
    nonisolated public static let icon = Data(
        """
        <svg xmlns="http://www.w3.org/2000/svg" width="64" height="64" viewBox="0 0 64 64">
        <rect width="64" height="64" rx="14" fill="#17343a"/>
        <path d="M25 12v40M39 12v40M12 25h40M12 39h40" stroke="#4f7c80" stroke-width="3"
        stroke-linecap="round"/>
        <path d="M13.500 13.500l8 8m0-8l-8 8M42.500 42.500l8 8m0-8l-8 8" stroke="#ffb454"
        stroke-width="4" stroke-linecap="round"/>
        <circle cx="32" cy="32" r="5" fill="none" stroke="#7fe0cf" stroke-width="4"/>
        </svg>
        """.utf8
    )
}
