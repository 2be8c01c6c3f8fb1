/// What is wrong with a template, and where.
package struct TemplateError: Error, Hashable, Sendable {
    /// What is wrong.
    package enum Fault: Hashable, Sendable {
        /// The file is named after no kind of row that is registered.
        case unknownKind(String)
        /// The file's name says nothing: `<kind>.html`, `header-<id>.html` or `footer-<id>.html`.
        case strangeName
        /// `{{` without the `}}` that belongs to it, or without a name.
        case malformedTag
        /// `{{{name}}}` or `{{&name}}`: values are always escaped.
        case rawValue
        /// No such column, and nothing else of that name.
        case unknownName(String, known: [String])
        /// `{{/name}}` without `{{#name}}`, or across another one.
        case strayEnd(String)
        /// `{{#name}}` without `{{/name}}`.
        case unendedSection(String)
        /// What stands between `{{#name}}` and `{{/name}}` begins in one place of the markup and
        /// ends in another, so that it could not be left out.
        case unbalancedSection(String)
        /// A value where no escape makes it safe.
        case valueMisplaced
        /// A `<` that begins no tag, or a tag that is not written as one.
        case malformedMarkup
        /// An attribute whose value does not stand in quotes.
        case unquotedAttribute
        /// An element or attribute that runs something or reaches out of the row.
        case forbidden(String)
        /// An address that runs something.
        case unsafeAddress(String)
        /// An end tag without its start tag, or across another element.
        case strayEndTag(String)
        /// A start tag without its end tag.
        case unendedElement(String)
    }

    /// The name of the file.
    package let file: String
    /// The line, from 1.
    package let line: Int
    /// The character of the line, from 1.
    package let column: Int
    /// What is wrong.
    package let fault: Fault
}

extension TemplateError: CustomStringConvertible {
    /// The place and what is wrong there: `user.row.html:3:7: no column 'agee'; did you mean …`.
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

/// Everything that is wrong with the templates of a service, in the order of files and places.
package struct TemplateErrors: Error, Hashable, Sendable {
    /// At least one.
    package let errors: [TemplateError]
}
