import Rendering

/// A path segment taken apart: a name, and the format behind its last dot if it names one.
struct SuffixedName: Hashable {
    let name: String
    let format: PageFormat?

    /// Takes a segment apart; a suffix counts only if it names a format.
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
}

extension SuffixedName {
    /// The name of a segment that is not the last one of its path.
    ///
    /// A suffix means nothing there, but to keep `.` and `..` from being dot segments, which clients
    /// and servers take out of a path.
    static func name(ofInner segment: String) -> String {
        let parsed = SuffixedName(segment)
        return parsed.format != nil && needsSuffix(parsed.name) ? parsed.name : segment
    }

    /// Whether a name can be no segment without a suffix: `.`, `..`, or one of them with suffixes.
    static func needsSuffix(_ name: String) -> Bool {
        var parsed = SuffixedName(name)
        while parsed.format != nil { parsed = SuffixedName(parsed.name) }
        return parsed.name == "." || parsed.name == ".."
    }
}
