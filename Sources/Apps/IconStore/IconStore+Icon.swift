import Messages

extension IconStore {
    /// The icon of the app, as SVG: a shop with an awning.
    nonisolated public static let icon = Data(
        """
        <svg xmlns="http://www.w3.org/2000/svg" width="64" height="64" viewBox="0 0 64 64">
        <rect width="64" height="64" rx="14" fill="#d6ebf7"/>
        <path d="M13 28h38v24h-38z" fill="#fffdf7"/>
        <path d="M10 28l4-14h36l4 14z" fill="#e8596e"/>
        <path d="M20.500 28l2-14h6.500l-.500 14zM35.500 28l-.500-14h6.500l2 14z" fill="#fff4f0"/>
        <rect x="18" y="34" width="13" height="18" rx="2" fill="#2f7f9c"/>
        <rect x="36" y="34" width="11" height="10" rx="2" fill="#ffc857"/>
        </svg>
        """.utf8
    )
}
