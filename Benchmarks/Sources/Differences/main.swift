import Listings

// Differences of two versions of a list: ours, the standard library's, and what every library pays
// that hashes each row once. Times are the median of five rounds, taken in turn; on a machine that
// does other things only their ratios mean something.
//
//   differences               the table
//   differences CASE N        case number CASE by ours, N times; for tools that count instructions
//                             and allocations: N and N + 1 times, subtracted

struct Times {
    var warm: [Double] = []
    var fresh: [Double] = []
    var checked: [Double] = []
    var table: [Double] = []
    var myers: [Double] = []
}

func milliseconds(_ work: () -> Void) -> Double {
    let duration = ContinuousClock().measure(work)
    return Double(duration.components.attoseconds) / 1e15
        + Double(duration.components.seconds) * 1_000
}

func median(_ values: [Double]) -> Double {
    values.isEmpty ? .nan : values.sorted()[values.count / 2]
}

func rounded(_ value: Double) -> String {
    guard value.isFinite else { return "–" }
    if value >= 100 { return "\(Int(value.rounded()))" }
    return "\((value * 1_000).rounded() / 1_000)"
}

/// A case as the engine takes it; ids of rows exist before, as those of models do.
struct Pair {
    let old: (digest: ListDigest, names: Names)
    let new: (digest: ListDigest, names: Names)

    init(_ item: Case) {
        let digests = item.digests
        old = (digests.old, Names(item.old))
        new = (digests.new, Names(item.new))
    }

    func changeCount(
        _ differ: inout ListDiffer,
        _ uniqueness: ListDiffer.Uniqueness = .trusted
    ) -> Int {
        let difference = differ.difference(
            from: old.digest,
            named: old.names,
            to: new.digest,
            named: new.names,
            uniqueness: uniqueness,
            limit: .max
        )
        return difference.stages.reduce(0) {
            $0 + $1.deletedRows.count + $1.insertedRows.count + $1.movedRows.count
                + $1.reloadedRows.count
        }
    }
}

func measureAll() {
    print("case | changes (minimum) | warm ms | fresh | checked | hash all | stdlib | stdlib/warm")
    for number in 0..<Case.count {
        let item = Case.make(number)
        let pair = Pair(item)
        var differ = ListDiffer()
        var times = Times()
        var changes = 0
        for _ in 0..<5 {
            times.warm.append(milliseconds { changes = pair.changeCount(&differ) })
            times.fresh.append(
                milliseconds {
                    var other = ListDiffer()
                    changes = pair.changeCount(&other)
                }
            )
            times.checked.append(milliseconds { changes = pair.changeCount(&differ, .checked) })
            times.table.append(milliseconds { _ = hashAll(item) })
            guard item.isForMyers else { continue }
            times.myers.append(
                milliseconds { _ = item.new.difference(from: item.old).inferringMoves() }
            )
        }
        let minimum = item.minimum
        precondition(changes == minimum, "\(item.name): \(changes) changes, not \(minimum)")
        let columns = [
            times.warm, times.fresh, times.checked, times.table, times.myers,
        ].map { rounded(median($0)) }
        let ratio = rounded(median(times.myers) / median(times.warm))
        print(([item.name, "\(changes)"] + columns + [ratio]).joined(separator: " | "))
    }
}

/// What a library pays at least that puts every row of one version into a dictionary and looks up
/// every row of the other.
func hashAll(_ item: Case) -> Int {
    var places: [UInt64: Int] = [:]
    places.reserveCapacity(item.new.count)
    for (place, id) in item.new.enumerated() { places[id] = place }
    return item.old.reduce(0) { $0 &+ (places[$1] ?? 0) }
}

if CommandLine.arguments.count == 3, let number = Int(CommandLine.arguments[1]),
    let count = Int(CommandLine.arguments[2]), (0..<Case.count).contains(number)
{
    let pair = Pair(Case.make(number))
    var differ = ListDiffer()
    for _ in 0..<count { _ = pair.changeCount(&differ) }
} else {
    measureAll()
}
