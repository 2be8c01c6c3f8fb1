import Database
import Listings
import SQLite

/// One thread's way to ask for pages of the list in this process.
final class Pages {
    let session: FileSession
    let reader: any ListReader
    let writer: DatabaseConnection
    var page: Page

    init(of people: PeopleDatabase) throws {
        let schema = people.source.schema
        guard let session = try people.source.openSession() as? FileSession else {
            throw PeopleDatabase.Unusable(path: people.path)
        }
        self.session = session
        reader = people.source.makeReader(through: session)
        writer = try DatabaseConnection(.file(people.path), access: .readWrite)
        page = Page(list: "users", schema: schema)
    }

    /// Makes everything that was found out about the list a thing of the past.
    func forget() throws {
        try writer.execute("UPDATE roster_lists SET counter = counter + 1")
    }

    /// The time of one reading in microseconds, and what it took.
    func read(_ question: Question) throws -> (microseconds: Double, work: EngineWork) {
        if question.isFirst { try forget() }
        session.connection.work = EngineWork()
        let start = ContinuousClock.now
        try reader.read(question.query, into: &page)
        return ((ContinuousClock.now - start) / .microseconds(1), session.connection.work)
    }
}

/// What came of one question.
struct Outcome {
    var times: [Double] = []
    var work = EngineWork()
    var rows = 0

    var median: Double { times.sorted()[times.count / 2] }
}

/// A table of text, its first column on the left and the others on the right.
func show(_ table: [[String]]) {
    let widths = table[0].indices.map { column in
        table.map { $0[column].count }.max() ?? 0
    }
    for row in table {
        let cells = row.indices.map { column in
            let room = String(repeating: " ", count: widths[column] - row[column].count)
            return column == 0 ? row[column] + room : room + row[column]
        }
        print(cells.joined(separator: "  "))
    }
}

extension Double {
    /// With a number of digits behind the point.
    func shown(_ digits: Int) -> String {
        var scale = 1.0
        for _ in 0..<digits { scale *= 10 }
        let scaled = (self * scale).rounded() / scale
        return digits == 0 ? "\(Int(scaled))" : "\(scaled)"
    }
}
