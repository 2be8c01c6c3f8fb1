/// A row of a page.
public struct RosterRow: Hashable, Sendable, Identifiable {
    /// Names the row in its list.
    public let id: String
    /// The identifier its controller was registered under, UIKit's reuse identifier.
    ///
    /// Nil for a row that could not be shown.
    public let kind: String?
    /// The values by column.
    public let cells: [String: RosterValue]
    /// The texts of the columns that people are shown otherwise than their value.
    public let display: [String: String]

    /// What people are shown in a column; nil where there is nothing to show.
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

    /// Reads a row; members that are not known are ignored.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(String.self, forKey: .id)
        kind = try container.decodeIfPresent(String.self, forKey: .kind)
        cells = try container.decodeIfPresent([String: RosterValue].self, forKey: .cells) ?? [:]
        display = try container.decodeIfPresent([String: String].self, forKey: .display) ?? [:]
    }
}

/// A section of a page, as far as it stands on the page.
public struct RosterSection: Hashable, Sendable, Identifiable {
    /// Names the section in its list.
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

    /// Reads a section, with rows or without.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(String.self, forKey: .id)
        header = try container.decodeIfPresent(Header.self, forKey: .header)?.title
        footer = try container.decodeIfPresent(Footer.self, forKey: .footer)?.text
        rows = try container.decodeIfPresent([RosterRow].self, forKey: .rows) ?? []
    }
}
