public import People

/// The page of users as an `Encodable`, with the members that Roster's page has.
public struct ListPage: Codable, Sendable {
    /// A user's row.
    public struct Row: Codable, Sendable {
        /// What stands in the row.
        public struct Cells: Codable, Sendable {
            let firstName: String
            let lastName: String
            let occupation: String
        }
        let id: String
        let kind: String
        let cells: Cells
        let links: [String: String]
    }

    /// The users of an occupation.
    public struct Section: Codable, Sendable {
        let id: String
        let title: String
        let count: Int
        let rows: [Row]
    }

    /// The columns.
    public struct Column: Codable, Sendable {
        let id: String
        let label: String
        let type: String
    }

    let list: [String: String]
    let columns: [Column]
    let sections: [Section]
    let total: Int
    let links: [String: String]

    /// Makes the page of users who are in order, as a request asks for it.
    public init(of people: [Person]) {
        list = ["id": "users", "title": "Users"]
        columns = [
            Column(id: "firstName", label: "First name", type: "text"),
            Column(id: "lastName", label: "Last name", type: "text"),
            Column(id: "occupation", label: "Occupation", type: "text"),
        ]
        var sections: [Section] = []
        var start = people.startIndex
        while start < people.endIndex {
            let occupation = people[start].occupation
            let end = people[start...].firstIndex { $0.occupation != occupation } ?? people.endIndex
            let rows = people[start..<end].map { person in
                Row(
                    id: String(person.id),
                    kind: "person.row",
                    cells: Row.Cells(
                        firstName: person.firstName,
                        lastName: person.lastName,
                        occupation: person.occupation
                    ),
                    links: ["self": "/users/\(person.id)"]
                )
            }
            sections.append(
                Section(id: occupation, title: occupation, count: rows.count, rows: rows)
            )
            start = end
        }
        self.sections = sections
        total = people.count
        links = ["self": "/users", "schema": "/users/-/schema"]
    }
}
