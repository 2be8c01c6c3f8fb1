/// The representations of a page.
package enum PageFormat: String, Hashable, Sendable, CaseIterable {
    /// HTML for people.
    case html
    /// JSON for programs.
    case json
    /// CSV for spreadsheets (RFC 4180).
    case csv
    /// Newline-delimited JSON for scripts, with one object on each line.
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

    /// The value of the Content-Type field (RFC 9110 §8.3; RFC 4180 §3 for the header row).
    package var contentType: StaticString {
        switch self {
        case .html: "text/html; charset=utf-8"
        case .csv: "text/csv; charset=utf-8; header=present"
        case .json, .ndjson: mediaType
        }
    }

    /// The index among all formats, from 0.
    package var number: Int {
        switch self {
        case .html: 0
        case .json: 1
        case .csv: 2
        case .ndjson: 3
        }
    }
}
