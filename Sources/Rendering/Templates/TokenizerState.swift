import Listings

/// The parser state in the markup of a template.
///
/// It supports the unambiguous part of HTML's grammar (HTML Standard §13.2.5).
struct TokenizerState {
    enum State: Hashable {
        case text
        case tagStart
        case endTagName
        case tagName
        case inTag
        case attributeName
        case afterAttributeName
        case beforeValue
        case value(UInt8)
        case selfClosing
    }

    private(set) var state = State.text
    private(set) var open: [String] = []
    private var name = ""
    private var element = ""
    private(set) var attribute = ""
    /// The literal value of the attribute before the first value of a row.
    private var literal: [UInt8] = []
    private(set) var isValueBegun = false
    private var hasValue = false

    /// The part of the state that must be the same at both ends of an optional section.
    struct Outline: Hashable {
        let state: State
        let open: [String]
        let attribute: String
    }

    var outline: Outline {
        switch state {
        case .value: Outline(state: state, open: open, attribute: attribute)
        default: Outline(state: state, open: open, attribute: "")
        }
    }

    func location() throws(TemplateSyntaxError) -> Template.Location {
        switch state {
        case .text: return .text
        case .value:
            if Self.unsafeForValues.contains(attribute) { throw .misplaced }
            guard Self.addresses.contains(attribute) else { return .attribute }
            return isValueBegun ? .addressPart : .address
        case .tagStart, .endTagName, .tagName, .inTag, .attributeName, .afterAttributeName,
            .beforeValue, .selfClosing:
            throw .misplaced
        }
    }

    mutating func takeValue() throws(TemplateSyntaxError) {
        if case .value = state {
            try checkAddress()
            isValueBegun = true
            hasValue = true
        }
    }

    mutating func take(_ byte: UInt8) throws(TemplateSyntaxError) {
        switch state {
        case .text: if byte == UInt8(ascii: "<") { state = .tagStart }
        case .tagStart: try beginTag(byte)
        case .tagName, .endTagName: try takeName(byte)
        case .inTag, .afterAttributeName: try takeInTag(byte)
        case .attributeName: try takeAttributeName(byte)
        case .beforeValue: try beginValue(byte)
        case .value(let quote): try takeValue(byte, quote)
        case .selfClosing:
            guard byte == UInt8(ascii: ">") else { throw .fault(.malformedMarkup) }
            try endTag(isSelfClosing: true)
        }
    }

    private mutating func beginTag(_ byte: UInt8) throws(TemplateSyntaxError) {
        name = ""
        switch byte {
        case UInt8(ascii: "/"): state = .endTagName
        case _ where byte.isLetter:
            state = .tagName
            name.append(byte.lowercased)
        default: throw .fault(.malformedMarkup)
        }
    }

    private mutating func takeName(_ byte: UInt8) throws(TemplateSyntaxError) {
        if byte.isNamePart { return name.append(byte.lowercased) }
        guard !name.isEmpty else { throw .fault(.malformedMarkup) }
        if state == .endTagName {
            guard byte == UInt8(ascii: ">") else { throw .fault(.malformedMarkup) }
            guard open.last == name else { throw .fault(.strayEndTag(name)) }
            open.removeLast()
            state = .text
            return
        }
        element = name
        guard !Self.forbidden.contains(element) else { throw .fault(.forbidden(element)) }
        if Self.tableParts.contains(element), !open.contains("table") {
            throw .fault(.forbidden(element))
        }
        state = .inTag
        try takeInTag(byte)
    }

    private mutating func takeInTag(_ byte: UInt8) throws(TemplateSyntaxError) {
        switch byte {
        case UInt8(ascii: ">"): try endTag(isSelfClosing: false)
        case UInt8(ascii: "/"): state = .selfClosing
        case UInt8(ascii: "="):
            guard state == .afterAttributeName else { throw .fault(.malformedMarkup) }
            state = .beforeValue
        case _ where byte.isSpace: break
        case _ where byte.isNamePart:
            name = ""
            name.append(byte.lowercased)
            state = .attributeName
        default: throw .fault(.malformedMarkup)
        }
    }

    private mutating func takeAttributeName(_ byte: UInt8) throws(TemplateSyntaxError) {
        if byte.isNamePart { return name.append(byte.lowercased) }
        attribute = name
        // The content security policy of pages allows no style here.
        if attribute.hasPrefix("on") || ["srcdoc", "style"].contains(attribute) {
            throw .fault(.forbidden(attribute))
        }
        state = .afterAttributeName
        try takeInTag(byte)
    }

    private mutating func beginValue(_ byte: UInt8) throws(TemplateSyntaxError) {
        if byte.isSpace { return }
        guard byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") else {
            throw .fault(.unquotedAttribute)
        }
        literal = []
        isValueBegun = false
        hasValue = false
        state = .value(byte)
    }

    private mutating func takeValue(_ byte: UInt8, _ quote: UInt8) throws(TemplateSyntaxError) {
        guard byte == quote else {
            isValueBegun = true
            if !hasValue { literal.append(byte) }
            return
        }
        try checkAddress()
        state = .inTag
    }

    private func checkAddress() throws(TemplateSyntaxError) {
        guard Self.addresses.contains(attribute), !literal.isEmpty else { return }
        guard LinkAddress.isSafe(literal.span) else {
            throw .fault(.unsafeAddress(String(decoding: literal, as: UTF8.self)))
        }
    }

    private mutating func endTag(isSelfClosing: Bool) throws(TemplateSyntaxError) {
        state = .text
        guard !Self.void.contains(element) else { return }
        // HTML ignores the slash, so the element would stay open.
        guard !isSelfClosing else { throw .fault(.unendedElement(element)) }
        open.append(element)
    }
}

enum TemplateSyntaxError: Error {
    case fault(TemplateError.Fault)
    case misplaced
}

extension TokenizerState {
    private static let addresses: Set<String> = [
        "action", "background", "cite", "data", "formaction", "href", "longdesc", "manifest",
        "ping", "poster", "src", "usemap", "xlink:href",
    ]

    /// The attributes with their own grammar, in which no escape makes a value safe.
    private static let unsafeForValues: Set<String> = ["srcset", "imagesrcset"]

    private static let forbidden: Set<String> = [
        "applet", "base", "body", "embed", "frame", "frameset", "head", "html", "iframe", "link",
        "main", "math", "meta", "noembed", "noframes", "noscript", "object", "plaintext", "script",
        "style", "svg", "template", "textarea", "title", "xmp",
    ]

    /// The elements that end the surrounding cell, unless they are in their own table.
    private static let tableParts: Set<String> = [
        "caption", "col", "colgroup", "tbody", "td", "tfoot", "th", "thead", "tr",
    ]

    private static let void: Set<String> = [
        "area", "br", "col", "hr", "img", "input", "source", "track", "wbr",
    ]
}

extension String {
    fileprivate mutating func append(_ byte: UInt8) { unicodeScalars.append(UnicodeScalar(byte)) }
}

extension UInt8 {
    fileprivate var isLetter: Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
    }

    fileprivate var isNamePart: Bool {
        isLetter || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
            || self == UInt8(ascii: "-") || self == UInt8(ascii: ":") || self == UInt8(ascii: "_")
    }

    fileprivate var isSpace: Bool {
        self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0C || self == 0x0D
    }

    fileprivate var lowercased: UInt8 { isLetter ? self | 0x20 : self }
}
