import Foundation

/// A row of a page.
public struct RosterRow: Hashable, Sendable, Identifiable {
    /// The id of the row, unique in its list.
    public let id: String
    /// The identifier that the row's controller is registered under, like UIKit's reuse identifier.
    ///
    /// It is nil for a row that could not be shown.
    public let kind: String?
    /// The version of the row, for which ``RosterClient/update(_:with:)`` holds.
    public let etag: String?
    /// The address of the row, or nil if it has no page.
    public let address: String?
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
        case .array, .object:
            (try? encoder.encode(cells[column])).map { String(decoding: $0, as: UTF8.self) }
        case .null, nil: nil
        }
    }

    /// Decodes the cells as a type of the program, whose properties have the names of columns.
    ///
    /// ```swift
    /// struct User: Decodable { let id: Int, firstName: String, joined: Date? }
    ///
    /// let users = try page.rows.map { try $0.decode(as: User.self) }
    /// ```
    ///
    /// A property `id` is the id of the row. Dates are days or times in ISO 8601.
    ///
    /// - Throws: `DecodingError`.
    public func decode<Model: Decodable>(as _: Model.Type = Model.self) throws -> Model {
        var members = cells
        if members["id"] == nil { members["id"] = .text(id) }
        while true {
            do {
                return try decoder.decode(Model.self, from: encoder.encode(members))
            } catch DecodingError.typeMismatch(let type, let context) {
                // Ids, and integers beyond 2⁵³, are texts in JSON.
                guard context.codingPath.count == 1,
                    let name = context.codingPath.first?.stringValue,
                    case .text(let text) = members[name], let number = Int64(text)
                else { throw DecodingError.typeMismatch(type, context) }
                members[name] = .integer(number)
            }
        }
    }
}

private let encoder: JSONEncoder = {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return encoder
}()

private let decoder: JSONDecoder = {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .custom { decoder in
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        let day = Date.ISO8601FormatStyle.iso8601.year().month().day()
        let styles: [Date.ISO8601FormatStyle] = [
            .iso8601, .init(includingFractionalSeconds: true),
            day.time(includingFractionalSeconds: false), day,
        ]
        for style in styles { if let date = try? style.parse(text) { return date } }
        throw DecodingError.dataCorruptedError(in: container, debugDescription: "no date: \(text)")
    }
    return decoder
}()

extension RosterRow: Decodable {
    private enum CodingKeys: String, CodingKey {
        case id, kind, etag, cells, display, links
    }

    private struct Links: Decodable {
        let own: String?

        enum CodingKeys: String, CodingKey { case own = "self" }
    }

    /// Decodes a row.
    ///
    /// Unknown members are ignored.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(String.self, forKey: .id)
        kind = try container.decodeIfPresent(String.self, forKey: .kind)
        etag = try container.decodeIfPresent(String.self, forKey: .etag)
        address = try container.decodeIfPresent(Links.self, forKey: .links)?.own
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
