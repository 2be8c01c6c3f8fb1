/// A row of a page.
public struct RosterRow: Hashable, Sendable, Identifiable {
    /// The id of the row, unique in its list.
    public let id: String
    /// The identifier that the row's controller is registered under, like UIKit's reuse identifier.
    ///
    /// It is nil for a row that could not be shown.
    public let kind: String?
    /// The values by column.
    public let cells: [String: RosterValue]
    /// The display texts of cells that are shown differently from their value, by column.
    public let display: [String: String]

    /// Returns the text to show in a column, or nil if the cell is empty.
    public func text(_ column: String) -> String? {
        if let text = display[column] { return text }
        return switch cells[column] {
        case .text(let text): text
        case .integer(let value): String(value)
        case .real(let value): String(value)
        case .boolean(let value): String(value)
        case .null, nil: nil
        }
    }
}

extension RosterRow: Decodable {
    private enum CodingKeys: String, CodingKey {
        case id, kind, cells, display
    }

    /// Decodes a row.
    ///
    /// Unknown members are ignored.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(String.self, forKey: .id)
        kind = try container.decodeIfPresent(String.self, forKey: .kind)
        cells = try container.decodeIfPresent([String: RosterValue].self, forKey: .cells) ?? [:]
        display = try container.decodeIfPresent([String: String].self, forKey: .display) ?? [:]
    }
}

/// A section of a page, with those of its rows that are on the page.
public struct RosterSection: Hashable, Sendable, Identifiable {
    /// The id of the section, unique in its list.
    public let id: String
    /// The title above its rows.
    public var header: String?
    /// The text below its rows.
    public var footer: String?
    /// The rows on the page.
    public internal(set) var rows: [RosterRow]
}

extension RosterSection: Decodable {
    private enum CodingKeys: String, CodingKey {
        case id, header, footer, rows
    }

    private struct Header: Decodable { let title: String? }
    private struct Footer: Decodable { let text: String? }

    /// Decodes a section, with or without rows.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(String.self, forKey: .id)
        header = try container.decodeIfPresent(Header.self, forKey: .header)?.title
        footer = try container.decodeIfPresent(Footer.self, forKey: .footer)?.text
        rows = try container.decodeIfPresent([RosterRow].self, forKey: .rows) ?? []
    }
}
