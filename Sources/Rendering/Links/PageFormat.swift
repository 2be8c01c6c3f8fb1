package enum PageFormat: String, Hashable, Sendable, CaseIterable {
    case json
    case html
    /// CSV for spreadsheets (RFC 4180).
    case csv
    case ndjson
    /// A workbook for Excel and other spreadsheets (ECMA-376).
    case xlsx

    private static let order = allCases

    package var number: Int { Self.order.firstIndex(of: self) ?? 0 }

    /// The name for people, the same in every language: `JSON`.
    package var title: String { self == .xlsx ? "Excel" : rawValue.uppercased() }

    package var mediaType: StaticString {
        switch self {
        case .json: "application/json"
        case .html: "text/html"
        case .csv: "text/csv"
        case .ndjson: "application/x-ndjson"
        case .xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
        }
    }

    /// The value of the Content-Type field (RFC 9110 §8.3; RFC 4180 §3 for the header row).
    package var contentType: StaticString {
        switch self {
        case .html: "text/html; charset=utf-8"
        case .csv: "text/csv; charset=utf-8; header=present"
        case .json, .ndjson, .xlsx: mediaType
        }
    }

    package var problemFormat: ProblemFormat {
        switch self {
        case .html: .html
        case .json, .ndjson: .json
        case .csv, .xlsx: .text
        }
    }

    /// Returns a renderer of rows without parts around them; nil for formats of whole pages.
    package func rowRenderer(_ rendering: RowRendering) -> (any RowRenderer)? {
        switch self {
        case .json, .html: nil
        case .csv:
            CSVRowRenderer(
                formulas: rendering.formulas,
                hasByteOrderMark: rendering.hasByteOrderMark
            )
        case .ndjson:
            NDJSONRowRenderer(links: rendering.links)
        case .xlsx:
            XLSXRowRenderer(
                splitsSections: rendering.splitsSections,
                deflate: rendering.deflate
            )
        }
    }

    package var isTable: Bool {
        switch self {
        case .json, .html: false
        case .csv, .ndjson, .xlsx: true
        }
    }
}

package enum ProblemFormat: Sendable {
    case html
    /// `application/problem+json` (RFC 9457).
    case json
    case text

    package var contentType: StaticString {
        switch self {
        case .html: PageFormat.html.contentType
        case .json: "application/problem+json"
        case .text: "text/plain; charset=utf-8"
        }
    }
}
