/// A renderer of the text within a block of Markdown: code, emphasis and links.
struct MarkdownInline {
    /// The addresses of relative link targets; other targets are not linked.
    let addresses: [String: String]
    /// The base path of links to paths of this server; nil to link none.
    var base: String?

    func write(_ text: Substring, allowsLinks: Bool = true, to writer: inout HTMLWriter) {
        var rest = text
        while !rest.isEmpty {
            let plain = rest.prefix { !"\\`*[".contains($0) }
            writer.text(String(plain))
            rest = rest[plain.endIndex...]
            guard let mark = rest.first else { return }
            let run = mark == "[" ? rest.prefix(1) : rest.prefix { $0 == mark }
            let content = rest[run.endIndex...]
            if mark == "\\", isEscape(rest.dropFirst().first) {
                writer.text(String(rest.dropFirst().prefix(1)))
                rest = rest.dropFirst(2)
            } else if mark == "`", let end = end(ofCode: content, run) {
                writer.element("<code>", String(content[..<end]), "</code>")
                rest = content[end...].dropFirst(run.count)
            } else if mark == "*", run.count <= 2, content.first?.isWhitespace == false,
                let end = end(of: content, run)
            {
                writer.markup(run.count == 2 ? "<strong>" : "<em>")
                write(content[..<end], allowsLinks: allowsLinks, to: &writer)
                writer.markup(run.count == 2 ? "</strong>" : "</em>")
                rest = content[end...].dropFirst(run.count)
            } else if mark == "[", let link = link(content) {
                let address = allowsLinks ? address(link.target) : nil
                if let address {
                    writer.markup("<a")
                    writer.attribute("href", address)
                    writer.markup(">")
                }
                write(link.text, allowsLinks: allowsLinks && address == nil, to: &writer)
                if address != nil { writer.markup("</a>") }
                rest = link.rest
            } else {
                writer.text(String(run))
                rest = content
            }
        }
    }

    private func isEscape(_ character: Character?) -> Bool {
        guard let character, character.isASCII else { return false }
        return character.isPunctuation || character.isSymbol
    }

    private func link(
        _ content: Substring
    ) -> (text: Substring, target: Substring, rest: Substring)? {
        guard let middle = end(of: content, "]"), content[middle...].hasPrefix("](") else {
            return nil
        }
        let after = content[middle...].dropFirst(2)
        guard let end = after.firstIndex(of: ")"), end > after.startIndex,
            !after[..<end].contains(where: \.isWhitespace)
        else { return nil }
        return (content[..<middle], after[..<end], after[end...].dropFirst())
    }

    private func address(_ target: Substring) -> String? {
        if target.first == "#" || SafeURL.isWeb(target.utf8.span) { return String(target) }
        if let base, target.hasPrefix("/"), !target.hasPrefix("//") { return base + target }
        let file = target.prefix { $0 != "#" }
        return addresses[String(file)].map { $0 + target[file.endIndex...] }
    }

    private func end(ofCode text: Substring, _ mark: Substring) -> Substring.Index? {
        var rest = text
        while let start = rest.firstIndex(of: "`") {
            let run = rest[start...].prefix { $0 == "`" }
            if run.count == mark.count { return start }
            rest = rest[run.endIndex...]
        }
        return nil
    }

    private func end(of text: Substring, _ mark: Substring) -> Substring.Index? {
        var rest = text
        var isAfterSpace = true
        while let character = rest.first {
            let run = rest.prefix { $0 == character }
            if !isAfterSpace, run == mark || mark == "]" && character == "]" {
                return rest.startIndex
            }
            // Links hold no brackets, so that those before a link are text.
            if mark == "]", character == "[" { return nil }
            isAfterSpace = character.isWhitespace
            rest = character == "\\" ? rest.dropFirst(2) : rest[run.endIndex...]
            if character == "`", let end = end(ofCode: rest, run) {
                rest = rest[end...].dropFirst(run.count)
            }
        }
        return nil
    }
}
