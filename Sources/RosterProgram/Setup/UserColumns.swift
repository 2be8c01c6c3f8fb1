import Listings

struct UserColumns: Sendable {
    private let firstName: Int
    private let lastName: Int
    private let occupation: Int
    private let others: [Int]
    let further: [Column]

    /// Finds the columns; nil where a required one is missing or is not text.
    init?(_ columns: [Column]) {
        func position(_ name: String) -> Int? {
            columns.firstIndex { $0.id == name && $0.type == .text }
        }
        guard let firstName = position("firstName"), let lastName = position("lastName"),
            let occupation = position("occupation")
        else { return nil }
        self.firstName = firstName
        self.lastName = lastName
        self.occupation = occupation
        let known = [firstName, lastName, occupation]
        others = columns.indices.filter { !known.contains($0) }
        further = others.enumerated().map { position, column in
            columns[column].shown(priority: position < 2 ? 2 : 3)
        }
    }

    var order: [Int] { [firstName, lastName, occupation] + others }

    func user(id: String, values: [CellValue], revision: Int64) -> User {
        User(
            id: id,
            firstName: Self.text(values[firstName]),
            lastName: Self.text(values[lastName]),
            occupation: Self.text(values[occupation]),
            further: others.map { values[$0] },
            revision: revision
        )
    }

    private static func text(_ value: CellValue) -> String? { value.isNull ? nil : value.plainText }
}
