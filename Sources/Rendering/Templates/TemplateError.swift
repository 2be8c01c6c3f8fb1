package struct TemplateError: Error, Hashable, Sendable {
    package enum Fault: Hashable, Sendable {
        /// The file is named after a kind of row that is not registered.
        case unknownKind(String)
        /// The file name is not `<kind>.html`, `<kind>.<column>.html`, `header-<id>.html` or
        /// `footer-<id>.html`.
        case strangeName
        case malformedTag
        case rawValue
        case unknownName(String, known: [String])
        case strayEnd(String)
        case unendedSection(String)
        /// The content of a `{{#name}}` section begins and ends at different positions of the
        /// markup, so it cannot be omitted.
        case unbalancedSection(String)
        case valueMisplaced
        case malformedMarkup
        case unquotedAttribute
        case forbidden(String)
        case unsafeAddress(String)
        case strayEndTag(String)
        case unendedElement(String)
    }

    package let file: String
    package let line: Int
    /// The character in the line, from 1.
    package let column: Int
    package let fault: Fault
}

extension TemplateError: CustomStringConvertible {
    package var description: String { "\(file):\(line):\(column): \(text)" }

    private var text: String {
        switch fault {
        case .unknownKind(let kind): "no rows of the kind '\(kind)' are registered"
        case .strangeName:
            "a template is called <kind>.html, header-<section>.html or footer-<section>.html"
        case .malformedTag: "'{{' begins a name that ends with '}}'"
        case .rawValue: "values are always escaped; write {{name}}"
        case .unknownName(let name, let known):
            "no column '\(name)'; there are \(known.joined(separator: ", "))"
        case .strayEnd(let name): "{{/\(name)}} ends nothing that is open here"
        case .unendedSection(let name): "{{#\(name)}} has no {{/\(name)}}"
        case .unbalancedSection(let name):
            "what stands in {{#\(name)}} does not end in the element or attribute it begins in"
        case .valueMisplaced: "a value may stand in text and in quoted attributes"
        case .malformedMarkup: "a '<' that begins no tag is written &lt;"
        case .unquotedAttribute: "the value of an attribute stands in quotes"
        case .forbidden("style"):
            "pages allow no style in HTML; give the element a class, and style that in CSS"
        case .forbidden(let name): "a template may not have '\(name)'"
        case .unsafeAddress(let address): "'\(address)' is no address to follow"
        case .strayEndTag(let name): "</\(name)> ends nothing that is open here"
        case .unendedElement(let name): "<\(name)> has no </\(name)>"
        }
    }
}

package struct TemplateErrors: Error, Hashable, Sendable {
    package let errors: [TemplateError]
}
