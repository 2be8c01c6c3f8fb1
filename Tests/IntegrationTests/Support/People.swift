import TestSupport

struct People {
    static let header = [
        "id", "firstName", "lastName", "occupation", "email", "site", "joined", "height", "active",
        "visits",
    ]

    /// The values, nil for missing ones, in the order of the header.
    let records: [[String?]]

    /// Makes so many people, in no order.
    init(_ count: Int, seed: UInt64 = 1) {
        var random = SeededGenerator(seed: seed)
        let firstNames = ["Ada", "Zoë", "Łukasz", "O'Neil", "نور", "美咲", "D, \"Q\"", "Jean Luc"]
        let lastNames = ["Ångström", "Berg", "de la Cruz", "Éluard", "Smith", "東", "Ünal"]
        let occupations = ["Engineer", "Writer", "Designer / Artist", "Pilot"]
        func pick(_ texts: [String], missing: Int) -> String? {
            Int.random(in: 0..<100, using: &random) < missing
                ? nil : texts.randomElement(using: &random)
        }
        records = (1...max(1, count)).shuffled(using: &random).map { id in
            let month = Int.random(in: 10...12, using: &random)
            let day = Int.random(in: 10...28, using: &random)
            return [
                "\(id)", pick(firstNames, missing: 3), pick(lastNames, missing: 3),
                pick(occupations, missing: 5), "p\(id)@example.org", "https://example.org/\(id)",
                "\(2000 + id % 25)-\(month)-\(day)", "1.\(50 + id % 50)5",
                id % 3 == 0 ? "true" : "false", id % 7 == 0 ? nil : "\(id % 90)",
            ]
        }
    }

    var csv: String {
        let lines = records.map { record in
            record.map { value in
                guard let value else { return "" }
                let isPlain = !value.contains { $0 == "," || $0 == "\"" }
                return isPlain ? value : "\"\(value.replacing("\"", with: "\"\""))\""
            }
        }
        return ([Self.header] + lines).map { $0.joined(separator: ",") }.joined(separator: "\n")
            + "\n"
    }

    var tsv: String {
        let lines = [Self.header] + records.map { $0.map { $0 ?? "" } }
        return lines.map { $0.joined(separator: "\t") + "\n" }.joined()
    }

    var jsonObjects: [String] {
        records.map { record in
            let members = zip(Self.header, record).map { name, value in
                "\"\(name)\": \(Self.json(value, isText: !Self.typed.contains(name)))"
            }
            return "{\(members.joined(separator: ", "))}"
        }
    }

    private static let typed = ["id", "height", "active", "visits"]

    private static func json(_ value: String?, isText: Bool) -> String {
        guard let value else { return "null" }
        return isText ? "\"\(value.replacing("\"", with: "\\\""))\"" : value
    }

    var json: String { "[\n" + jsonObjects.joined(separator: ",\n") + "\n]\n" }

    var ndjson: String { jsonObjects.map { $0 + "\n" }.joined() }
}
