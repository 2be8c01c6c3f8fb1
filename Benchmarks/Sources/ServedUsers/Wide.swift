import Roster

/// A row of as many columns as wanted, to see how the cost of a page grows.
struct Wide: Identifiable, Sendable {
    let id: Int
    let shelf: String
    let text: String
}

extension ListService {
    /// Adds a list of such rows: where there is one section, in their own order.
    mutating func listWide(_ count: Int, sections: Int, columns: Int, length: Int) throws {
        let texts = (0..<100).map { number in
            String(repeating: "abcdefghij", count: length / 10 + 1).prefix(max(0, length - 2))
                + "\(number)"
        }
        let rows = (0..<count).map { number in
            Wide(
                id: number,
                shelf: "shelf \(number * sections / count)",
                text: String(texts[number % 100])
            )
        }
        let controller = ClosureController<Wide>(
            columns: [column("shelf", \.shelf, isGroupable: true)]
                + (0..<columns).map { number in column("text\(number)", \.text) }
        )
        try list("users", models: rows, using: controller, group: sections > 1 ? "shelf" : nil)
    }
}
