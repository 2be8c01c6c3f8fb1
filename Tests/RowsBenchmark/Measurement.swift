import Database
import ListAPI
import Listings
import RosterProgram
import SQLite

/// One thread's way to ask for pages of the list in this process.
final class Pages {
    let reader: any ListReader
    let forget: () throws -> Void
    var page: Page
    private let counted: FileSession?

    init(of people: some People) throws {
        let session = try people.source.openSession()
        counted = session as? FileSession
        reader = people.source.makeReader(through: session)
        forget = try people.makeForgetting()
        page = Page(list: "users", schema: people.source.schema)
    }

    /// The time of one reading in microseconds, and what it took where the engine counts; nil for
    /// what could not be read in the time there is.
    func read(_ question: Question) throws -> (microseconds: Double, work: EngineStatistics)? {
        if question.isFirst { try forget() }
        counted?.connection?.work = EngineStatistics()
        let start = ContinuousClock.now
        do {
            try reader.read(question.query, into: &page)
        } catch {
            guard error == .outOfTime else { throw error }
            return nil
        }
        let time = (ContinuousClock.now - start) / .microseconds(1)
        return (time, counted?.connection?.work ?? EngineStatistics())
    }
}

struct Outcome {
    var times: [Double] = []
    var work = EngineStatistics()
    var rows = 0

    /// Not a number where no answer came in time.
    var median: Double { times.isEmpty ? .nan : times.sorted()[times.count / 2] }
}

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
    func shown(_ digits: Int) -> String {
        guard !isNaN else { return "too long" }
        var scale = 1.0
        for _ in 0..<digits { scale *= 10 }
        let scaled = (self * scale).rounded() / scale
        return digits == 0 ? "\(Int(scaled))" : "\(scaled)"
    }
}
