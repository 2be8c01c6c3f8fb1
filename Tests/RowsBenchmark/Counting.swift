import Database
import Listings
import Synchronization

/// Pages read on one thread while another one counts.
struct Counting<Subject: People> {
    private let people: Subject
    private let question: Question
    private let rounds: Int

    init(of people: Subject, question: Question, rounds: Int) throws {
        self.people = people
        self.question = question
        self.rounds = rounds
    }

    /// The medians of a page alone and beside a thread that counts without an end.
    func measure() async throws -> (alone: Double, beside: Double) {
        let alone = try median()
        let isOver = Flag()
        let people = people
        let query = question.query
        let counting = Task.detached {
            let pages = try Pages(of: people)
            var page = Page(list: "users", schema: people.source.schema)
            var query = query
            query.counting = .exact
            while !isOver.value.load(ordering: .relaxed) {
                try pages.forget()
                try pages.reader.read(query, into: &page)
            }
        }
        let beside = try median()
        isOver.value.store(true, ordering: .relaxed)
        try await counting.value
        return (alone, beside)
    }

    private func median() throws -> Double {
        let pages = try Pages(of: people)
        var outcome = Outcome()
        for _ in 0..<rounds {
            if let read = try pages.read(question) { outcome.times.append(read.microseconds) }
        }
        return outcome.median
    }
}

/// Raised from one thread, seen by another.
private final class Flag: Sendable {
    let value = Atomic<Bool>(false)
}
