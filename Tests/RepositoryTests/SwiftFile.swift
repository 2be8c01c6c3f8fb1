struct SwiftFile {
    /// One line; the text of string literals is left out of the code.
    struct Line {
        var code: String
        var comment: String

        /// The words of the code: letters, digits and `_`, with `@` or `#` in front where written.
        var words: [Substring] {
            code.split { !($0.isLetter || $0.isNumber || "_@#".contains($0)) }
        }
    }

    var path: String
    var lines: [Line]

    var target: Substring {
        path.split(separator: "/").dropFirst().first ?? ""
    }

    init(path: String, text: String) {
        self.path = path
        var reader = LineReader()
        lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { reader.read($0) }
    }

    /// A finding at a line, counted from 0.
    func finding(at index: Int, _ problem: String) -> Finding {
        Finding(path: path, line: index + 1, problem: problem)
    }
}

extension SwiftFile {
    var typeDeclarations: [(name: String, lineCount: Int)] {
        let keywords: Set<Substring> = [
            "struct", "class", "enum", "extension", "actor", "protocol",
        ]
        var declarations: [(name: String, lineCount: Int)] = []
        var open: (name: String, start: Int)?
        for (index, line) in lines.enumerated() {
            if let (name, start) = open {
                guard line.code.hasPrefix("}") else { continue }
                declarations.append((name, index - start + 1))
                open = nil
                continue
            }
            guard let first = line.code.first, first != " " else { continue }
            let words = line.code.split { !($0.isLetter || $0.isNumber || "_@.".contains($0)) }
            guard let keyword = words.firstIndex(where: keywords.contains),
                keyword + 1 < words.count
            else { continue }
            let name = String(words[keyword + 1])
            if line.code.hasSuffix("}") {
                declarations.append((name, 1))
            } else {
                open = (name, index)
            }
        }
        return declarations
    }
}

/// Parts line after line, and knows whether it stands in a multi-line literal.
///
/// Block comments are not read: the formatter refuses them.
private struct LineReader {
    private var openDelimiter: String?

    mutating func read(_ line: Substring) -> SwiftFile.Line {
        var code = ""
        var rest = line
        if let delimiter = openDelimiter {
            guard let end = rest.firstRange(of: delimiter) else {
                return SwiftFile.Line(code: "", comment: "")
            }
            openDelimiter = nil
            rest = rest[end.upperBound...]
        }
        while let character = rest.first {
            if character == "/", rest.hasPrefix("//") {
                return SwiftFile.Line(code: code, comment: String(rest))
            }
            // The first test keeps the pattern from being tried at every character.
            if character == "\"" || character == "#",
                let opening = rest.prefixMatch(of: /(#*)("""|")/)
            {
                code += "\"\""
                rest = rest[opening.range.upperBound...]
                let delimiter = String(opening.2) + String(opening.1)
                if let end = Self.end(of: rest, delimiter: delimiter) {
                    rest = rest[end...]
                } else {
                    openDelimiter = delimiter
                    rest = ""
                }
            } else {
                code.append(character)
                rest.removeFirst()
            }
        }
        return SwiftFile.Line(code: code, comment: "")
    }

    /// The place after a literal's closing delimiter, nil where the line ends before it.
    private static func end(of text: Substring, delimiter: String) -> String.Index? {
        var rest = text
        while let character = rest.first {
            if rest.hasPrefix(delimiter) {
                return rest.index(rest.startIndex, offsetBy: delimiter.count)
            }
            // In a raw literal a backslash is a character like any other.
            let isEscape = character == "\\" && !delimiter.hasSuffix("#")
            rest = rest.dropFirst(isEscape ? 2 : 1)
        }
        return nil
    }
}
