// What one request costs, piece by piece, for tools that count instructions and allocations:
//
//   CountsBenchmark            the names of the pieces
//   CountsBenchmark PIECE N    does a piece N times; N and 2N times, subtracted, are N of it

let arguments = Array(CommandLine.arguments.dropFirst())
let pieces = Pieces.all
if arguments.isEmpty {
    for piece in pieces { print(piece.name) }
} else if arguments.count == 2, let count = Int(arguments[1]),
    let piece = pieces.first(where: { $0.name == arguments[0] })
{
    try piece.perform(count)
} else {
    fatalError("usage: CountsBenchmark [PIECE N]")
}
