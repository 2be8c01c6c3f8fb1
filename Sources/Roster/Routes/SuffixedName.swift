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
