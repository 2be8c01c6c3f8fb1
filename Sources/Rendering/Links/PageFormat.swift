/// The representations of a page.
package enum PageFormat: String, Hashable, Sendable, CaseIterable {
    /// For people.
    case html
    /// For programs.
    case json
    /// For spreadsheets (RFC 4180).
    case csv
    /// For scripts: one JSON object a line.
    case ndjson

    /// The media type without parameters.
    package var mediaType: StaticString {
        switch self {
        case .html: "text/html"
        case .json: "application/json"
        case .csv: "text/csv"
        case .ndjson: "application/x-ndjson"
        }
    }

    /// The place among all formats, from 0.
    package var number: Int {
        switch self {
        case .html: 0
        case .json: 1
        case .csv: 2
        case .ndjson: 3
        }
    }
}
