/// A picture on a button, as a part of the page's sprite.
enum HTMLIcon: String, CaseIterable {
    case filter, group, sort, columns, view, export, add

    /// The strokes of the icon in a square of 16 units, as SVG path data.
    private var strokes: StaticString {
        switch self {
        case .filter: "M2 4h12M4 8h8M6 12h4"
        case .group: "M2 3h4v4H2zM2 10h4v4H2zM9 5h5M9 12h5"
        case .sort: "M5 2v11M2 10l3 3 3-3M11 14V3M8 6l3-3 3 3"
        case .columns: "M2 3h12v10H2zM6 3v10M10 3v10"
        case .view: "M2 5h6M12 5h2M2 11h2M8 11h6M10 3v4M6 9v4"
        case .export: "M8 2v8M4 7l4 4 4-4M2 14h12"
        case .add: "M8 3v10M3 8h10"
        }
    }

    static func sprite(to writer: inout HTMLWriter) {
        writer.markup("<svg class=\"vh\" aria-hidden=\"true\">")
        for icon in allCases {
            writer.markup("<symbol viewBox=\"0 0 16 16\" id=\"i-")
            writer.text(icon.rawValue)
            writer.markup("\"><path d=\"")
            writer.markup(icon.strokes)
            writer.markup("\"></path></symbol>")
        }
        writer.markup("</svg>\n")
    }

    func write(to writer: inout HTMLWriter) {
        writer.markup("<svg class=\"i\" aria-hidden=\"true\"><use href=\"#i-")
        writer.text(rawValue)
        writer.markup("\"></use></svg>")
    }
}
