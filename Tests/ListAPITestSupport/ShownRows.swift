import Foundation

package struct ShownRow: Hashable, Sendable {
    package var section: String
    package var id: String

    package init(section: String, id: String) {
        self.section = section
        self.id = id
    }
}

extension Answer {
    /// The rows of the body, whatever its format.
    package func rows() throws -> [ShownRow] {
        switch mediaType {
        case "application/json": try json().rows
        case "application/x-ndjson":
            try body.split(separator: "\n").map { line in
                let row = try JSON(String(line))
                return ShownRow(section: row["section"]?.text ?? "", id: row["id"]?.text ?? "")
            }
        case "text/csv": csvRows()
        case "text/html": htmlRows()
        default: []
        }
    }

    /// The rows of a table; the section is `all` and the id empty where it has no such column.
    private func csvRows() -> [ShownRow] {
        let records = csvRecords()
        let (section, id) = (
            records.first?.firstIndex(of: "section"), records.first?.firstIndex(of: "id")
        )
        return records.dropFirst().map { record in
            ShownRow(section: section.map { record[$0] } ?? "all", id: id.map { record[$0] } ?? "")
        }
    }

    /// The records of a table (RFC 4180), the header line among them.
    package func csvRecords() -> [[String]] {
        var records: [[String]] = []
        var record: [String] = []
        var field: [Unicode.Scalar] = []
        var isQuoted = false
        var scalars = Array(body.unicodeScalars)[...]
        func text() -> String { String(String.UnicodeScalarView(field)) }
        while let scalar = scalars.popFirst() {
            switch scalar {
            case "\"" where isQuoted && scalars.first == "\"":
                field.append(scalar)
                scalars.removeFirst()
            case "\"": isQuoted.toggle()
            case _ where isQuoted: field.append(scalar)
            case ",", "\n":
                record.append(text())
                field = []
                if scalar == "\n" {
                    records.append(record)
                    record = []
                }
            case "\r": continue
            default: field.append(scalar)
            }
        }
        return records
    }

    /// The values of an attribute in the markup, unescaped, in their order.
    package func htmlValues(of attribute: String) -> [String] {
        body.components(separatedBy: " \(attribute)=\"").dropFirst().map { rest in
            String(rest.prefix { $0 != "\"" }).unescapedHTML
        }
    }

    /// The rows of a page: each section's id stands in its link, each row's in its own.
    private func htmlRows() -> [ShownRow] {
        var section = ""
        var rows: [ShownRow] = []
        for value in htmlValues(of: "id") {
            if value.hasPrefix("s-") { section = value.removingFirst(2) }
            if value.hasPrefix("r-") {
                rows.append(ShownRow(section: section, id: value.removingFirst(2)))
            }
        }
        return rows
    }
}

extension JSON {
    package var rows: [ShownRow] {
        (self["sections"]?.elements ?? []).flatMap { section in
            (section["rows"]?.elements ?? []).map { row in
                ShownRow(section: section["id"]?.text ?? "", id: row["id"]?.text ?? "")
            }
        }
    }

    /// An address among the links; nil where there is none, or null in its place.
    package func link(_ name: String) -> String? { self["links", name]?.text }
}

extension String {
    fileprivate func removingFirst(_ count: Int) -> String {
        String(dropFirst(count)).removingPercentEncoding ?? ""
    }

    /// The text without the five escapes that pages use.
    package var unescapedHTML: String {
        [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")]
            .reduce(self) { $0.replacingOccurrences(of: $1.0, with: $1.1) }
    }
}
