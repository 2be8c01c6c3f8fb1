/// A page of a list, which can follow the list.
public struct RosterPage: Hashable, Sendable {
    /// What the page shows, by which the server tells what changed since.
    public internal(set) var version: String
    /// The columns, in their order.
    public let columns: [RosterColumn]
    /// The sections with their rows, in their order.
    public internal(set) var sections: [RosterSection]
    /// The address of the page itself.
    public let address: String
    /// Where the server tells what changed; nil for a list that does not.
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

    /// Reads a page as `GET /LIST.json` answers it.
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
