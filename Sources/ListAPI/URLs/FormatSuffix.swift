import Rendering

struct FormatSuffix: Hashable {
    let name: String
    let format: PageFormat?

    /// Splits a segment; a suffix counts only if it names a format.
    init(_ segment: String) {
        guard let dot = segment.utf8.lastIndex(of: UInt8(ascii: ".")),
            let format = PageFormat(rawValue: String(segment[segment.index(after: dot)...]))
        else {
            name = segment
            format = nil
            return
        }
        name = String(segment[..<dot])
        self.format = format
    }

    /// There a suffix only keeps `.` and `..` from being dot segments, which are removed.
    static func name(ofInner segment: String) -> String {
        let parsed = FormatSuffix(segment)
        return parsed.format != nil && needsSuffix(parsed.name) ? parsed.name : segment
    }

    /// Whether a name needs a suffix as a segment: `.`, `..`, or one of them with suffixes.
    static func needsSuffix(_ name: String) -> Bool {
        var parsed = FormatSuffix(name)
        while parsed.format != nil { parsed = FormatSuffix(parsed.name) }
        return parsed.name == "." || parsed.name == ".."
    }
}
