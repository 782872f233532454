import Messages

extension DrawAndGuess {
    /// The icon of the app, as SVG: a pencil and its line.
    nonisolated public static let icon = Data(
        """
        <svg xmlns="http://www.w3.org/2000/svg" width="64" height="64" viewBox="0 0 64 64">
        <rect width="64" height="64" rx="14" fill="#fff6d8"/>
        <path d="M8 50q7-12 13-2t12 0" fill="none" stroke="#2c3a73" stroke-width="4"
        stroke-linecap="round"/>
        <g transform="translate(-4 4)">
        <path d="M36 44l3-11 15-15 8 8-15 15z" fill="#f5a623"/>
        <path d="M54 18l4-4q2-2 4 0l4 4q2 2 0 4l-4 4z" fill="#e8596e" transform="translate(-3 0)"/>
        <path d="M36 44l3-11 8 8z" fill="#f8dcb0"/>
        <path d="M36 44l1.500-5 3.500 3.500z" fill="#2c3a73"/></g>
        </svg>
        """.utf8
    )
}
