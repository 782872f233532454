package import Glibc

/// The times of HTTP.
package enum HTTPDate {
    /// A time in the format of `Date` in RFC 9110; `seconds` count from 1970.
    package static func text(_ seconds: time_t) -> String {
        var seconds = seconds
        var parts = tm()
        gmtime_r(&seconds, &parts)
        var text = [CChar](repeating: 0, count: 32)
        // Parley never sets a locale, so the names of days and months are English.
        let count = strftime(&text, text.count, "%a, %d %b %Y %H:%M:%S GMT", &parts)
        return String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
