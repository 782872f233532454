extension MessageBody {
    /// The first exceeded limit of a body to be sent, in words, or nil.
    ///
    /// Readers of a body check the same limits.
    package var problem: String? {
        let template = layout?.template
        let texts: [(name: String, text: String?, limit: Int)] = [
            ("app", app, Limits.appBytes),
            ("URL", url, Limits.urlBytes),
            ("device name", deviceName, Limits.deviceNameBytes),
            ("summary", summaryText, Limits.summaryBytes),
            ("accessibility label", accessibilityLabel, Limits.accessibilityLabelBytes),
            ("text", text, Limits.textBytes),
            ("caption", template?.caption, Limits.captionBytes),
            ("subcaption", template?.subcaption, Limits.captionBytes),
            ("trailing caption", template?.trailingCaption, Limits.captionBytes),
            ("trailing subcaption", template?.trailingSubcaption, Limits.captionBytes),
            ("image title", template?.imageTitle, Limits.captionBytes),
            ("image subtitle", template?.imageSubtitle, Limits.captionBytes),
        ]
        if let problem = file?.problem { return problem }
        let tooLong = texts.first { ($0.text?.utf8.count ?? 0) > $0.limit }
        return tooLong.map { text in
            "the \(text.name) has \(text.text?.utf8.count ?? 0) bytes, at most \(text.limit)"
                + " are allowed"
        }
    }
}
