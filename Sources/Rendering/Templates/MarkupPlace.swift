import Listings

/// Where in the markup of a template its reader stands: the part of HTML's grammar (HTML Standard
/// §13.2.5) that templates may use, which is the part without surprises.
struct MarkupPlace {
    enum State: Hashable {
        case text
        case tagStart
        case endTagName
        case tagName
        case inTag
        case attributeName
        case afterAttributeName
        case beforeValue
        /// In a value; the byte is the quote that ends it.
        case value(UInt8)
        /// Behind the `/` of `<br/>`.
        case selfClosing
    }

    private(set) var state = State.text
    /// The elements that are open.
    private(set) var open: [String] = []
    /// The name being read, in lower case.
    private var name = ""
    private var element = ""
    /// The attribute whose value is being read.
    private(set) var attribute = ""
    /// The value of the attribute up to the first value of a row.
    private var literal: [UInt8] = []
    /// Whether something stands in the value of the attribute already.
    private(set) var isValueBegun = false
    private var hasValue = false

    /// Where something that is left out may begin and end alike.
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

    /// What becomes of a value that stands here.
    func place() throws(TemplateFault) -> Template.Place {
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

    /// A value was read.
    mutating func takeValue() throws(TemplateFault) {
        if case .value = state {
            try checkAddress()
            isValueBegun = true
            hasValue = true
        }
    }

    /// A byte of markup was read.
    mutating func take(_ byte: UInt8) throws(TemplateFault) {
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

    private mutating func beginTag(_ byte: UInt8) throws(TemplateFault) {
        name = ""
        switch byte {
        case UInt8(ascii: "/"): state = .endTagName
        case _ where byte.isLetter:
            state = .tagName
            name.append(byte.lowercased)
        default: throw .fault(.malformedMarkup)
        }
    }

    private mutating func takeName(_ byte: UInt8) throws(TemplateFault) {
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

    private mutating func takeInTag(_ byte: UInt8) throws(TemplateFault) {
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

    private mutating func takeAttributeName(_ byte: UInt8) throws(TemplateFault) {
        if byte.isNamePart { return name.append(byte.lowercased) }
        attribute = name
        if attribute.hasPrefix("on") || attribute == "srcdoc" {
            throw .fault(.forbidden(attribute))
        }
        state = .afterAttributeName
        try takeInTag(byte)
    }

    private mutating func beginValue(_ byte: UInt8) throws(TemplateFault) {
        if byte.isSpace { return }
        guard byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") else {
            throw .fault(.unquotedAttribute)
        }
        literal = []
        isValueBegun = false
        hasValue = false
        state = .value(byte)
    }

    private mutating func takeValue(_ byte: UInt8, _ quote: UInt8) throws(TemplateFault) {
        guard byte == quote else {
            isValueBegun = true
            if !hasValue { literal.append(byte) }
            return
        }
        try checkAddress()
        state = .inTag
    }

    /// Refuses an address that begins with something that runs.
    private func checkAddress() throws(TemplateFault) {
        guard Self.addresses.contains(attribute), !literal.isEmpty else { return }
        guard LinkAddress.isSafe(literal.span) else {
            throw .fault(.unsafeAddress(String(decoding: literal, as: UTF8.self)))
        }
    }

    private mutating func endTag(isSelfClosing: Bool) throws(TemplateFault) {
        state = .text
        guard !Self.void.contains(element) else { return }
        // HTML ignores the slash: the element would stay open.
        guard !isSelfClosing else { throw .fault(.unendedElement(element)) }
        open.append(element)
    }
}

/// A fault without its place.
enum TemplateFault: Error {
    case fault(TemplateError.Fault)
    /// A value stands where it may not.
    case misplaced
}

extension MarkupPlace {
    /// Attributes that hold an address.
    private static let addresses: Set<String> = [
        "action", "background", "cite", "data", "formaction", "href", "longdesc", "manifest",
        "ping", "poster", "src", "usemap", "xlink:href",
    ]

    /// Attributes with a grammar of their own, in which no escape makes a value safe.
    private static let unsafeForValues: Set<String> = ["style", "srcset", "imagesrcset"]

    /// Elements that run something, change the page around the row, or are read by other rules.
    private static let forbidden: Set<String> = [
        "applet", "base", "body", "embed", "frame", "frameset", "head", "html", "iframe", "link",
        "main", "math", "meta", "noembed", "noframes", "noscript", "object", "plaintext", "script",
        "style", "svg", "template", "textarea", "title", "xmp",
    ]

    /// Elements that end the cell they stand in, unless they are in a table of their own.
    private static let tableParts: Set<String> = [
        "caption", "col", "colgroup", "tbody", "td", "tfoot", "th", "thead", "tr",
    ]

    /// Elements without an end tag.
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
