import Database
import Listings
import SQLite

// Pages of 50 users of ten million in SQLite, or of a million in PostgreSQL: at the start, in the
// middle and at the end, on and back, in one sequence and in sections; sections at a time, letters,
// counts and conditions. All questions are asked in turns; times are medians, and on a machine that
// does other things only their ratios mean something. Statements and rows are counted by SQLite.
//
//   RowsBenchmark (FOLDER | postgres) [--rows N] [--rounds N] [--http PROGRAM]
//
// The database of SQLite is made by the import of the service and kept in FOLDER; it takes some ten
// minutes and 7 GB. That of PostgreSQL takes a minute and is thrown away. With --http the program
// named is started and asked over a connection, too. It then also imports half a million users into
// PostgreSQL, beside `\copy` of psql.

let arguments = Arguments(CommandLine.arguments.dropFirst())
if let folder = arguments.folder {
    try await measure(try PeopleDatabase(rows: arguments.rows, in: folder))
} else {
    try await measure(try PeopleCluster(rows: arguments.rows))
}

func measure(_ people: some People) async throws {
    let (rows, rounds) = (arguments.rows, arguments.rounds)
    let pages = try Pages(of: people)
    let questions = try Questions(
        schema: people.source.schema,
        rows: rows,
        reader: pages.reader
    ).all()
    var outcomes = Array(repeating: Outcome(), count: questions.count)
    for round in 0...rounds {
        tell("round \(round) of \(rounds)")
        for (number, question) in questions.enumerated() {
            guard let (time, work) = try pages.read(question) else { continue }
            outcomes[number].work = work
            outcomes[number].rows = pages.page.rowCount
            // The first one prepares the statements.
            if round > 0 { outcomes[number].times.append(time) }
        }
    }
    tell("")

    // A page while another thread counts all rows that meet a condition, which takes its whole
    // budget.
    let counting = try Counting(of: people, question: questions[0], rounds: rounds)
    let (alone, beside) = try await counting.measure()

    var answers = [Double?](repeating: nil, count: questions.count)
    if let program = arguments.program {
        let running = try RunningProgram(program, people.arguments)
        var times = Array(repeating: [Double](), count: questions.count)
        for round in 0...rounds {
            for (number, question) in questions.enumerated() {
                if question.isFirst { try pages.forget() }
                guard let time = try running.get(question.target) else { continue }
                if round > 0 { times[number].append(time) }
            }
        }
        answers = times.map { Outcome(times: $0).median }
    }

    print("\(rows) rows, \(people.summary); times are medians of \(rounds) in µs")
    var table = [
        ["question", "µs", "÷ start", "rows", "statements", "records", "scanned", "sorts", "steps"]
    ]
    if arguments.program != nil { table[0] += ["HTTP µs", "÷ start"] }
    for (number, question) in questions.enumerated() {
        let outcome = outcomes[number]
        let base = questions.firstIndex { $0.name == question.base } ?? number
        table.append([
            question.name, outcome.median.shown(0),
            (outcome.median / outcomes[base].median).shown(2), "\(outcome.rows)",
            "\(outcome.work.statements)", "\(outcome.work.records)", "\(outcome.work.scannedRows)",
            "\(outcome.work.sorts)", "\(outcome.work.instructions)",
        ])
        if let answer = answers[number], let first = answers[base] {
            table[table.count - 1] += [answer.shown(0), (answer / first).shown(2)]
        }
    }
    show(table)
    if let cluster = people as? PeopleCluster, let program = arguments.program {
        let (copied, imported) = try cluster.load(rows: min(rows, 500_000), by: program)
        let share = (100 * copied / imported).shown(0)
        print(
            "an import: \(imported.shown(2)) s, \\copy: \(copied.shown(2)) s, \(share) % of its rate"
        )
    }
    print("a page while another thread counts: \(beside.shown(0)) µs, alone \(alone.shown(0)) µs")
}
