/// A parser that reads and checks one template.
///
/// After an error, it continues if possible.
struct TemplateReader {
    private let file: String
    private let text: [UInt8]
    private let names: [String: Template.Name]
    private let known: [String]

    private var index = 0
    private var location = TokenizerState()
    private var markup: [UInt8] = []
    private var pieces: [Template.Piece] = []
    private var sections: [Section] = []
    private(set) var errors: [TemplateError] = []

    private struct Section {
        let name: String
        let value: Template.Name
        let piece: Int
        let start: Int
        let isShownWith: Bool
        let outline: TokenizerState.Outline
    }

    init(file: String, text: String, names: [String: Template.Name], known: [String]) {
        self.file = file
        self.text = Array(text.utf8)
        self.names = names
        self.known = known
    }

    /// Parses the template.
    ///
    /// Returns nil if there are ``errors``.
    mutating func read() -> [Template.Piece]? {
        do {
            while index < text.count {
                if begins("{{") { try readTag() } else { try readMarkup() }
            }
            try checkEnd()
            flush()
        } catch {
            errors.append(error)
        }
        return errors.isEmpty ? pieces : nil
    }

    private mutating func readMarkup() throws(TemplateError) {
        do { try location.take(text[index]) } catch { throw located(error, at: index) }
        markup.append(text[index])
        index += 1
    }

    private mutating func readTag() throws(TemplateError) {
        let start = index
        index += 2
        guard index < text.count else { throw error(.malformedTag, at: start) }
        let sigil = text[index]
        if sigil == UInt8(ascii: "{") || sigil == UInt8(ascii: "&") {
            throw error(.rawValue, at: start)
        }
        let nameStart = index
        while index < text.count, !begins("}}"), !begins("{{") { index += 1 }
        guard begins("}}") else { throw error(.malformedTag, at: start) }
        var bytes = text[nameStart..<index]
        index += 2
        let isSigil = [UInt8(ascii: "#"), UInt8(ascii: "^"), UInt8(ascii: "/"), UInt8(ascii: "!")]
            .contains(sigil)
        if isSigil { bytes = bytes.dropFirst() }
        let name = String(decoding: bytes, as: UTF8.self).trimmingSpaces
        if sigil == UInt8(ascii: "!") { return }
        guard !name.isEmpty, !name.contains("\n") else { throw error(.malformedTag, at: start) }
        switch sigil {
        case UInt8(ascii: "/"): try endSection(name, at: start)
        case UInt8(ascii: "#"): beginSection(name, isShownWith: true, at: start)
        case UInt8(ascii: "^"): beginSection(name, isShownWith: false, at: start)
        default: try readValue(name, at: start)
        }
    }

    private mutating func readValue(_ name: String, at start: Int) throws(TemplateError) {
        let value = value(name, at: start)
        do {
            let location = try location.location()
            try self.location.takeValue()
            flush()
            if let value { pieces.append(.value(value, location)) }
        } catch {
            throw located(error, at: start)
        }
    }

    private mutating func beginSection(_ name: String, isShownWith: Bool, at start: Int) {
        flush()
        sections.append(
            Section(
                name: name,
                value: value(name, at: start) ?? .id,
                piece: pieces.count,
                start: start,
                isShownWith: isShownWith,
                outline: location.outline
            )
        )
        // A placeholder until the end of the section is known.
        pieces.append(.section(.id, isShownWith: isShownWith, end: 0))
    }

    private mutating func endSection(_ name: String, at start: Int) throws(TemplateError) {
        guard let section = sections.popLast(), section.name == name else {
            throw error(.strayEnd(name), at: start)
        }
        guard location.outline == section.outline else {
            throw error(.unbalancedSection(name), at: section.start)
        }
        flush()
        pieces[section.piece] = .section(
            section.value,
            isShownWith: section.isShownWith,
            end: pieces.count
        )
    }

    private func checkEnd() throws(TemplateError) {
        if let section = sections.last {
            throw error(.unendedSection(section.name), at: section.start)
        }
        guard location.state == .text else { throw error(.malformedMarkup, at: text.count) }
        if let element = location.open.last {
            throw error(.unendedElement(element), at: text.count)
        }
    }

    private mutating func value(_ name: String, at start: Int) -> Template.Name? {
        if let value = names[name] { return value }
        errors.append(error(.unknownName(name, known: known), at: start))
        return nil
    }

    private mutating func flush() {
        guard !markup.isEmpty else { return }
        pieces.append(.markup(HTMLMarkup(ofTemplate: markup)))
        markup.removeAll(keepingCapacity: true)
    }

    private func begins(_ mark: StaticString) -> Bool {
        let mark = mark.description.utf8
        return text[index...].starts(with: mark)
    }

    private func located(_ fault: TemplateSyntaxError, at index: Int) -> TemplateError {
        switch fault {
        case .fault(let fault): error(fault, at: index)
        case .misplaced: error(.valueMisplaced, at: index)
        }
    }

    private func error(_ fault: TemplateError.Fault, at index: Int) -> TemplateError {
        let before = text[..<min(index, text.count)]
        let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        return TemplateError(
            file: file,
            line: before.count { $0 == UInt8(ascii: "\n") } + 1,
            column: String(decoding: before[lineStart...], as: UTF8.self).count + 1,
            fault: fault
        )
    }
}

extension String {
    fileprivate var trimmingSpaces: String {
        let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        let start = drop(while: isSpace)
        guard let end = start.lastIndex(where: { !isSpace($0) }) else { return "" }
        return String(start[...end])
    }
}
