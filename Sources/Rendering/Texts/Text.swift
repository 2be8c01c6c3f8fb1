/// A text of the program in English, which a language translates as a whole.
///
/// Its key has `%` for each argument: `"No row '\(id)' in \(list)."` has the key
/// `No row '%' in %.` Arguments are names, which no language changes, or texts. A `%` of the text
/// itself is only possible after the last argument.
package struct Text: ExpressibleByStringInterpolation, CustomStringConvertible, Sendable {
    private enum Argument {
        case name(String)
        /// A name that is in lower case inside an English text.
        case noun(String)
        case text(Text)
    }

    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = Text("")

        package init(literalCapacity: Int, interpolationCount: Int) {
            text.key.reserveCapacity(literalCapacity + interpolationCount)
        }

        package mutating func appendLiteral(_ literal: String) {
            text.key += literal
            text.english += literal
        }

        package mutating func appendInterpolation(_ name: some CustomStringConvertible) {
            append(.name(name.description), name.description)
        }

        package mutating func appendInterpolation(_ text: Text) {
            append(.text(text), text.description)
        }

        mutating func appendInterpolation(noun name: String) {
            append(.noun(name), name.lowercased())
        }

        mutating func appendInterpolation(_ shown: String, counting count: Int) {
            append(.name(shown), shown)
            text.count = count
        }

        private mutating func append(_ argument: Argument, _ english: String) {
            text.key += "%"
            text.english += english
            text.arguments.append(argument)
        }
    }

    private(set) var key: String
    /// The key with its arguments in place, made at once because most pages are English.
    private var english: String
    private var arguments: [Argument] = []
    private var count: Int?

    package init(_ english: String) { (key, self.english) = (english, english) }

    package init(stringLiteral english: String) { (key, self.english) = (english, english) }

    package init(stringInterpolation: StringInterpolation) { self = stringInterpolation.text }

    /// Joins two parts of one sentence, which is translated as a whole.
    package static func + (start: Text, end: Text) -> Text {
        var text = start
        text.key += end.key
        text.english += end.english
        text.arguments += end.arguments
        return text
    }

    package var description: String { PageLanguage.english.texts(self) }

    package var isEmpty: Bool { key.isEmpty }

    /// The English text; nil where a number chooses among its forms.
    var inEnglish: String? { count == nil ? english : nil }

    func filled(_ pattern: String, in texts: PageText) -> String {
        guard !arguments.isEmpty else { return pattern }
        var form = pattern.utf8[...]
        if let count {
            let forms = form.split(separator: UInt8(ascii: "|"))
            form = forms[min(texts.language.pluralForm(of: count), forms.count - 1)]
        }
        var rest = Substring(form)
        var result = ""
        result.reserveCapacity(form.count + 16 * arguments.count)
        for argument in arguments {
            guard let mark = rest.utf8.firstIndex(of: UInt8(ascii: "%")) else { break }
            result += rest[..<mark]
            rest = rest[rest.utf8.index(after: mark)...]
            switch argument {
            case .name(let name): result += name
            case .noun(let name):
                result += texts.language == .english ? name.lowercased() : name
            case .text(let text): result += texts(text)
            }
        }
        result += rest
        return result
    }
}

/// A text with one argument, translated once because many rows have it.
struct Phrase: Sendable {
    private let forms: [[String]]
    private let language: PageLanguage

    init(_ text: Text, in texts: PageText) {
        language = texts.language
        forms = texts(text).split(separator: "|").map { form in
            form.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
                .map(String.init)
        }
    }

    var start: String { forms[0][0] }
    var end: String { forms[0].count > 1 ? forms[0][1] : "" }

    func callAsFunction(_ name: String) -> String { forms[0].joined(separator: name) }

    func callAsFunction(_ count: Int) -> String {
        forms[min(language.pluralForm(of: count), forms.count - 1)].joined(separator: "\(count)")
    }
}
