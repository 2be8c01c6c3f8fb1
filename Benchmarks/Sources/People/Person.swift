/// A user of the list that every server of the comparison serves.
public struct Person: Identifiable, Sendable, Codable {
    /// Names the user for good.
    public let id: Int
    /// The given name.
    public let firstName: String
    /// The family name.
    public let lastName: String
    /// What the user does; the list has a section for each.
    public let occupation: String

    private static let firstNames = [
        "Ada", "Björk", "Chiara", "Dariush", "Emília", "Fatima", "Grace", "Hannah", "Isabel",
        "Jürgen",
    ]
    private static let lastNames = [
        "Abernathy", "Conceição", "D'Angelo", "Etxeberria", "Goldstein", "Halvorsen", "Mwangi",
    ]
    private static let occupations = ["Designer", "Engineer", "Writer"]

    /// Makes users, the same ones each time, in the order of the list: by occupation, inside by last
    /// name, first name and id.
    public static func make(_ count: Int) -> [Person] {
        (0..<count).map { number in
            Person(
                id: number + 1,
                firstName: firstNames[number % firstNames.count],
                lastName: lastNames[number % lastNames.count],
                occupation: occupations[number * occupations.count / count]
            )
        }
        .sorted {
            ($0.occupation, $0.lastName, $0.firstName, $0.id)
                < ($1.occupation, $1.lastName, $1.firstName, $1.id)
        }
    }
}
