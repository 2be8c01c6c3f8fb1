struct ListPage: Decodable, Equatable {
    struct Column: Decodable, Equatable {
        var id: String
        var label: String
        var type: String
    }

    struct Section: Decodable, Equatable {
        struct Header: Decodable, Equatable {
            var title: String
        }
        var id: String
        var header: Header?
        var count: Count?
        var rows: [Row]
    }

    struct Row: Decodable, Equatable {
        var id: String
        var kind: String
        var cells: [String: Cell]
    }

    struct Count: Decodable, Equatable {
        var value: Int
        var relation: String
    }

    struct Links: Decodable, Equatable {
        var prev: String?
        var next: String?
    }

    var columns: [Column]
    var sections: [Section]
    var total: Count?
    var links: Links

    var ids: [String] { sections.flatMap(\.rows).map(\.id) }
}

enum Cell: Decodable, Hashable {
    case null
    case boolean(Bool)
    case number(Double)
    case text(String)
    case bytes(Int)

    /// Whether it is a text.
    var isText: Bool { if case .text = self { true } else { false } }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(String.self) {
            self = .text(value)
        } else if let value = try? container.decode(Bool.self) {
            self = .boolean(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else {
            self = .bytes(try container.decode(Bytes.self).bytes)
        }
    }

    private struct Bytes: Decodable {
        let bytes: Int
    }
}
