/// A page of a list, which can follow changes of the list.
public struct RosterPage: Hashable, Sendable {
    /// The version of the page, by which the server determines later changes.
    public internal(set) var version: String
    /// The columns in order.
    public let columns: [RosterColumn]
    /// The sections with their rows in order.
    public internal(set) var sections: [RosterSection]
    /// The address of the page itself.
    public let address: String
    /// The address that reports changes, or nil if the list does not report them.
    public internal(set) var changesAddress: String?
}

extension RosterPage: Decodable {
    private enum CodingKeys: String, CodingKey {
        case list, columns, sections, links
    }

    private struct List: Decodable { let version: String }

    private struct Links: Decodable {
        let current: String
        let changes: String?

        enum CodingKeys: String, CodingKey {
            case current = "self"
            case changes
        }
    }

    /// Decodes a page from a response to `GET /LIST.json`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        version = try container.decode(List.self, forKey: .list).version
        columns = try container.decode([RosterColumn].self, forKey: .columns)
        sections = try container.decode([RosterSection].self, forKey: .sections)
        let links = try container.decode(Links.self, forKey: .links)
        address = links.current
        changesAddress = links.changes
    }
}
