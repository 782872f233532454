import Messages

extension MoodAndFood {
    /// The icon of the app, as SVG: a smile over a plate.
    nonisolated public static let icon = Data(
        """
        <svg xmlns="http://www.w3.org/2000/svg" width="64" height="64" viewBox="0 0 64 64">
        <rect width="64" height="64" rx="14" fill="#e4f2dd"/>
        <circle cx="32" cy="26" r="16" fill="#ffd257"/>
        <circle cx="26" cy="23" r="2.500" fill="#4a3413"/>
        <circle cx="38" cy="23" r="2.500" fill="#4a3413"/>
        <path d="M24 29q8 9 16 0" fill="none" stroke="#4a3413" stroke-width="3"
        stroke-linecap="round"/>
        <path d="M10 46h44q-4 8-14 8h-16q-10 0-14-8z" fill="#5a9e63"/>
        </svg>
        """.utf8
    )
}
