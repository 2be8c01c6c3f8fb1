/// A template, read and checked: markup, and the places where values go.
struct Template: Sendable {
    /// What a value is called.
    enum Name: Hashable, Sendable {
        /// The id of the row or section.
        case id
        /// Where the row leads, or the address of the section.
        case link
        /// The header or footer of the section.
        case title
        /// The number of rows of the section.
        case count
        /// A column, as a position in ``Template/columns``.
        case column(Int)
    }

    /// What becomes of a value so that it is nothing but a value where it stands.
    enum Place: Hashable, Sendable {
        /// Between tags: as people read it.
        case text
        /// In an attribute: as machines read it.
        case attribute
        /// At the beginning of an address: refused unless it may be followed.
        case address
        /// Behind the beginning of an address: percent-encoded.
        case addressPart
    }

    enum Piece: Sendable {
        case markup(HTMLMarkup)
        case value(Name, Place)
        /// What follows up to `end` is shown only if there is a value, or if there is none.
        case section(Name, isShownWith: Bool, end: Int)
    }

    let pieces: [Piece]
    /// The ids of the columns it shows.
    let columns: [String]
}

extension HTMLWriter {
    /// Appends a template.
    ///
    /// - Parameters:
    ///   - template: The template.
    ///   - isPresent: Whether there is a value of a name.
    ///   - write: Appends a value, so that it is safe in its place.
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
