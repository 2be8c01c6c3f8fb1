/// A parsed and checked template: markup with positions for values.
struct Template: Sendable {
    /// The name of a value.
    enum Name: Hashable, Sendable {
        /// The id of the row or section.
        case id
        /// The target of the row, or the address of the section.
        case link
        /// The header or footer of the section.
        case title
        /// The number of rows of the section.
        case count
        /// A column, as an index of ``Template/columns``.
        case column(Int)
    }

    /// The position of a value, which determines its escaping.
    enum Place: Hashable, Sendable {
        /// Between tags, in the form for people.
        case text
        /// In an attribute, in the form for programs.
        case attribute
        /// At the beginning of an address, where unsafe addresses are rejected.
        case address
        /// Inside an address, with percent-encoding.
        case addressPart
    }

    enum Piece: Sendable {
        case markup(HTMLMarkup)
        case value(Name, Place)
        /// A section up to `end`, shown only if the value is present, or only if it is absent.
        case section(Name, isShownWith: Bool, end: Int)
    }

    let pieces: [Piece]
    /// The ids of the columns that the template shows.
    let columns: [String]
}

extension HTMLWriter {
    /// Appends a template.
    ///
    /// - Parameters:
    ///   - template: The template.
    ///   - isPresent: Whether the value of a name is present.
    ///   - write: Appends a value with the escaping for its position.
    mutating func template(
        _ template: Template,
        isPresent: (Template.Name) -> Bool,
        write: (Template.Name, Template.Place, inout HTMLWriter) -> Void
    ) {
        var index = 0
        while index < template.pieces.count {
            switch template.pieces[index] {
            case .markup(let markup): self.markup(markup)
            case .value(let name, let place): write(name, place, &self)
            case .section(let name, let isShownWith, let end):
                if isPresent(name) != isShownWith {
                    index = end
                    continue
                }
            }
            index += 1
        }
    }
}
