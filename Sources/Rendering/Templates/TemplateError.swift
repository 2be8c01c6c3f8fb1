/// An error of a template, with its position.
package struct TemplateError: Error, Hashable, Sendable {
    /// The possible errors.
    package enum Fault: Hashable, Sendable {
        /// The file is named after a kind of row that is not registered.
        case unknownKind(String)
        /// The file name is not `<kind>.html`, `<kind>.<column>.html`, `header-<id>.html` or
        /// `footer-<id>.html`.
        case strangeName
        /// A `{{` has no matching `}}`, or there is no name between them.
        case malformedTag
        /// The template contains `{{{name}}}` or `{{&name}}`, but values are always escaped.
        case rawValue
        /// There is no column or other value of this name.
        case unknownName(String, known: [String])
        /// A `{{/name}}` has no matching `{{#name}}`, or overlaps another section.
        case strayEnd(String)
        /// A `{{#name}}` has no matching `{{/name}}`.
        case unendedSection(String)
        /// The content of a `{{#name}}` section begins and ends at different positions of the
        /// markup, so it cannot be omitted.
        case unbalancedSection(String)
        /// A value is at a position where no escape makes it safe.
        case valueMisplaced
        /// A `<` begins no tag, or a tag is malformed.
        case malformedMarkup
        /// An attribute has a value without quotes.
        case unquotedAttribute
        /// An element or attribute runs code or affects the page outside the row.
        case forbidden(String)
        /// An address has an unsafe scheme.
        case unsafeAddress(String)
        /// An end tag has no matching start tag, or overlaps another element.
        case strayEndTag(String)
        /// A start tag has no end tag.
        case unendedElement(String)
    }

    /// The name of the file.
    package let file: String
    package let line: Int
    /// The character in the line, from 1.
    package let column: Int
    package let fault: Fault
}

extension TemplateError: CustomStringConvertible {
    /// The position and the error: `user.row.html:3:7: no column 'agee'; did you mean …`.
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
        case .forbidden(let name): "a template may not have '\(name)'"
        case .unsafeAddress(let address): "'\(address)' is no address to follow"
        case .strayEndTag(let name): "</\(name)> ends nothing that is open here"
        case .unendedElement(let name): "<\(name)> has no </\(name)>"
        }
    }
}

/// All errors of the templates of a service, in the order of files and positions.
package struct TemplateErrors: Error, Hashable, Sendable {
    /// The errors, at least one.
    package let errors: [TemplateError]
}
