/// The tags of an HTML text, read strictly enough to notice markup that was not meant.
struct HTMLOutline {
    struct Tag {
        let name: String
        let attributes: [(name: String, value: String)]
    }

    /// The start tags in order.
    private(set) var tags: [Tag] = []
    /// What is not well-formed; nil when all is.
    private(set) var fault: String?

    var isBalanced: Bool { fault == nil }

    private static let empty: Set<String> = ["meta", "link", "br", "input"]

    init(_ html: String) {
        var open: [String] = []
        var rest = Substring(html)
        while let start = rest.firstIndex(of: "<"), fault == nil {
            guard let end = rest[start...].firstIndex(of: ">") else {
                fault = "an open tag: \(rest[start...])"
                return
            }
            let tag = rest[rest.index(after: start)..<end]
            rest = rest[rest.index(after: end)...]
            if tag.hasPrefix("!") { continue }
            if tag.hasPrefix("/") {
                let name = String(tag.dropFirst())
                if open.popLast() != name { fault = "</\(name)> closes something else" }
            } else {
                read(tag, &open)
            }
        }
        if fault == nil, !open.isEmpty { fault = "\(open) not closed" }
    }

    private mutating func read(_ tag: Substring, _ open: inout [String]) {
        let name = String(tag.prefix { $0 != " " })
        guard !name.isEmpty, name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) }) else {
            fault = "<\(tag)> is no tag"
            return
        }
        var attributes: [(name: String, value: String)] = []
        var rest = tag.dropFirst(name.count)
        while !rest.isEmpty {
            rest = rest.drop { $0 == " " }
            let key = String(rest.prefix { $0 != "=" && $0 != " " })
            rest = rest.dropFirst(key.count)
            guard rest.hasPrefix("=\"") else {
                fault = "<\(tag)>: attribute \(key) has no quoted value"
                return
            }
            let value = rest.dropFirst(2).prefix { $0 != "\"" }
            rest = rest.dropFirst(value.count + 3)
            if attributes.contains(where: { $0.name == key }) { fault = "<\(tag)>: \(key) twice" }
            attributes.append((key, Self.unescaped(String(value))))
        }
        tags.append(Tag(name: name, attributes: attributes))
        if !Self.empty.contains(name) { open.append(name) }
    }

    /// The values of an attribute on elements of a name, in order.
    func attributes(_ attribute: String, of name: String? = nil) -> [String] {
        tags.filter { name == nil || $0.name == name }
            .compactMap { tag in tag.attributes.first { $0.name == attribute }?.value }
    }

    private static func unescaped(_ text: String) -> String {
        var text = text
        for (entity, character) in [
            ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&"),
        ] {
            text = text.split(separator: entity, omittingEmptySubsequences: false)
                .joined(separator: character)
        }
        return text
    }
}
