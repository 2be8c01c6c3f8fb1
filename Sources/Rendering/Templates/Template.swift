struct Template: Sendable {
    enum Name: Hashable, Sendable {
        case id
        case link
        case title
        case count
        case column(Int)
    }

    enum Location: Hashable, Sendable {
        case text
        case attribute
        /// At the beginning of an address, where unsafe addresses are rejected.
        case address
        case addressPart
    }

    enum Piece: Sendable {
        case markup(HTMLMarkup)
        case value(Name, Location)
        /// A section up to `end`, shown only if the value is present, or only if it is absent.
        case section(Name, isShownWith: Bool, end: Int)
    }

    let pieces: [Piece]
    let columns: [String]
}

extension HTMLWriter {
    mutating func template(
        _ template: Template,
        isPresent: (Template.Name) -> Bool,
        write: (Template.Name, Template.Location, inout HTMLWriter) -> Void
    ) {
        var index = 0
        while index < template.pieces.count {
            switch template.pieces[index] {
            case .markup(let markup): self.markup(markup)
            case .value(let name, let location): write(name, location, &self)
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
