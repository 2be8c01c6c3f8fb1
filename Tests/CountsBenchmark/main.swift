// What one request costs, piece by piece, for tools that count instructions and allocations:
//
//   CountsBenchmark            the names of the pieces
//   CountsBenchmark --with-postgres COMMAND
//                              runs a command that does a piece with a PostgreSQL
//   CountsBenchmark PIECE N    does a piece N times; N and 2N times, subtracted, are N of it

import Foundation

let arguments = Array(CommandLine.arguments.dropFirst())
let pieces = Pieces.all
if arguments.isEmpty {
    for piece in pieces { print(piece.name) }
} else if arguments.count == 2, let count = Int(arguments[1]),
    let piece = pieces.first(where: { $0.name == arguments[0] })
{
    try piece.perform(count)
} else if arguments[0] == "--with-postgres" {
    exit(try Fixture.runWithPostgres(arguments.dropFirst()))
} else {
    fatalError("usage: CountsBenchmark [PIECE N | --with-postgres COMMAND]")
}
