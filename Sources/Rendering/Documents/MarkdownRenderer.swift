/// A renderer of the documentation's Markdown as HTML.
///
/// It supports headings, paragraphs, lists, tables, fenced code, inline code, emphasis and links.
/// A blank line ends a list. Everything else is text, and all text is escaped.
struct MarkdownRenderer {
    private static let maximumDepth = 8

    private let inline: MarkdownInline
    private var ids: Set<String> = ["main"]
    private(set) var headings: [(level: Int, title: String, id: String)] = []

    init(addresses: [String: String] = [:]) { inline = MarkdownInline(addresses: addresses) }

    mutating func write(_ markdown: String, to writer: inout HTMLWriter) {
        let lines = markdown.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        write(lines[...], depth: 0, to: &writer)
    }

    private mutating func write(
        _ lines: ArraySlice<Substring>,
        depth: Int,
        to writer: inout HTMLWriter
    ) {
        var rest = lines
        while let line = rest.first?.drop(while: \.isWhitespace) {
            let marks = line.prefix { $0 == line.first }
            if line.isEmpty {
                rest.removeFirst()
            } else if isHeading(line) {
                rest.removeFirst()
                heading(marks.count, line.dropFirst(marks.count), to: &writer)
            } else if line.hasPrefix("```") {
                rest.removeFirst()
                writer.markup("<pre tabindex=\"0\"><code>")
                while let line = rest.popFirst(), !line.drop(while: \.isWhitespace).hasPrefix(marks)
                {
                    writer.element("", String(line), "\n")
                }
                writer.markup("</code></pre>\n")
            } else if isTable(rest) {
                table(&rest, to: &writer)
            } else if let item = item(line), depth < Self.maximumDepth {
                list(&rest, isOrdered: item.isOrdered, depth: depth, to: &writer)
            } else {
                var text = String(line)
                rest.removeFirst()
                while let line = rest.first, !beginsBlock(rest) {
                    text += "\n" + line.drop(while: \.isWhitespace)
                    rest.removeFirst()
                }
                if depth == 0 { writer.markup("<p>") }
                inline.write(text[...], to: &writer)
                writer.markup(depth == 0 ? "</p>\n" : "\n")
            }
        }
    }

    private func beginsBlock(_ lines: ArraySlice<Substring>) -> Bool {
        let line = lines.first?.drop(while: \.isWhitespace) ?? ""
        return line.isEmpty || isHeading(line) || line.hasPrefix("```") || item(line) != nil
            || isTable(lines)
    }

    // MARK: Headings

    private static let openings: [StaticString] = ["<h1", "<h2", "<h3", "<h4", "<h5", "<h6"]
    private static let closings: [StaticString] = [
        "</h1>\n", "</h2>\n", "</h3>\n", "</h4>\n", "</h5>\n", "</h6>\n",
    ]

    private func isHeading(_ line: Substring) -> Bool {
        let marks = line.prefix { $0 == "#" }
        return 1...6 ~= marks.count && line.dropFirst(marks.count).first == " "
    }

    private mutating func heading(_ level: Int, _ text: Substring, to writer: inout HTMLWriter) {
        let title = text.drop(while: \.isWhitespace)
        let words = title.lowercased().replacing(" ", with: "-")
        var id = words.filter { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
        while !ids.insert(id).inserted || id.isEmpty { id += "-" }
        headings.append((level, String(title), id))
        writer.markup(Self.openings[level - 1])
        writer.attribute("id", id)
        writer.markup(">")
        inline.write(title, to: &writer)
        writer.markup(Self.closings[level - 1])
    }

    // MARK: Tables

    private func isTable(_ lines: ArraySlice<Substring>) -> Bool {
        guard lines.first?.first == "|", let rule = lines.dropFirst().first else { return false }
        return rule.hasPrefix("|-") && rule.allSatisfy { "|:- ".contains($0) }
    }

    private func table(_ rest: inout ArraySlice<Substring>, to writer: inout HTMLWriter) {
        writer.markup("<table>\n<thead>")
        row(rest.removeFirst(), "<th scope=\"col\">", "</th>", to: &writer)
        writer.markup("</thead>\n<tbody>\n")
        rest.removeFirst()
        while let line = rest.first, line.first == "|" {
            row(line, "<td>", "</td>", to: &writer)
            rest.removeFirst()
        }
        writer.markup("</tbody>\n</table>\n")
    }

    private func row(
        _ line: Substring,
        _ open: StaticString,
        _ close: StaticString,
        to writer: inout HTMLWriter
    ) {
        var cells = [""]
        for character in line.dropFirst() {
            let isEscaped = cells[cells.count - 1].last == "\\"
            if character == "|", !isEscaped {
                cells.append("")
            } else {
                if character == "|" { cells[cells.count - 1].removeLast() }
                cells[cells.count - 1].append(character)
            }
        }
        if cells.last?.allSatisfy(\.isWhitespace) ?? false { cells.removeLast() }
        writer.markup("<tr>")
        for cell in cells {
            var text = cell.drop(while: \.isWhitespace)
            while text.last?.isWhitespace ?? false { text.removeLast() }
            writer.markup(open)
            inline.write(text, to: &writer)
            writer.markup(close)
        }
        writer.markup("</tr>\n")
    }

    // MARK: Lists

    private func item(_ line: Substring) -> (isOrdered: Bool, mark: Int)? {
        if line.hasPrefix("- ") || line.hasPrefix("* ") { return (false, 2) }
        let digits = line.prefix { $0.isASCII && $0.isNumber }.count
        return digits > 0 && line.dropFirst(digits).hasPrefix(". ") ? (true, digits + 2) : nil
    }

    private mutating func list(
        _ rest: inout ArraySlice<Substring>,
        isOrdered: Bool,
        depth: Int,
        to writer: inout HTMLWriter
    ) {
        writer.markup(isOrdered ? "<ol>\n" : "<ul>\n")
        while let line = rest.first, let item = item(line.drop(while: \.isWhitespace)),
            item.isOrdered == isOrdered
        {
            let width = line.prefix(while: \.isWhitespace).count + item.mark
            var lines = [rest.removeFirst().dropFirst(width)]
            while let line = rest.first, line.count > width,
                line.prefix(width).allSatisfy({ $0 == " " })
            {
                lines.append(rest.removeFirst().dropFirst(width))
            }
            writer.markup("<li>")
            write(lines[...], depth: depth + 1, to: &writer)
            writer.markup("</li>\n")
        }
        writer.markup(isOrdered ? "</ol>\n" : "</ul>\n")
    }
}
