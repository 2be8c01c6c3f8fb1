import ListDiff
import Listings

// Differences of two versions of a list: ours, Paul Heckel's algorithm in plain Swift – which stands
// in for DifferenceKit and its kin, for they cannot be had where packages cannot be fetched –, the
// standard library's, and what everybody pays who hashes each row once. Times are medians of rounds
// in which each has its turn; on a machine that does other things only the ratios mean something.
// Fails unless each difference is as small as can be and memory is asked for only for what is
// returned.
//
//   differences               the table
//   differences CASE N        case number CASE by ours, N times; for tools that count instructions:
//                             N and N + 1 times, subtracted

func compare(_ item: Case) -> [String] {
    let pair = Pair(item)
    var differ = ListDiffer()
    var comparison = Comparison(rows: item.old.count)
    var (changes, heckelChanges) = (0, 0)
    let rounds = item.old.count > 500_000 ? 5 : 11
    for _ in 0..<rounds {
        comparison.measure(.locations) { changes = pair.difference(&differ).changeCount }
        comparison.measure(.named) { _ = pair.namedDifference(&differ) }
        comparison.measure(.fresh) {
            var other = ListDiffer()
            _ = pair.difference(&other)
        }
        comparison.measure(.checked) { _ = pair.difference(&differ, .checked) }
        comparison.measure(.models) { _ = pair.modelDifference(&differ) }
        comparison.measure(.heckel) { heckelChanges = pair.heckelDifference().changeCount }
        comparison.measure(.hashAll) { _ = pair.hashAll() }
        guard item.isForMyers else { continue }
        comparison.measure(.standard) {
            _ = item.new.difference(from: item.old).inferringMoves()
        }
    }
    let minimum = item.minimum
    precondition(changes == minimum, "\(item.name): \(changes) changes, not \(minimum)")
    let allocations = pair.allocationCount(&differ)
    let arrays = pair.difference(&differ).arrayCount
    precondition(
        allocations == arrays,
        "\(item.name): \(allocations) allocations for \(arrays) arrays"
    )
    return [item.name, "\(changes)", "\(heckelChanges)", "\(allocations)"]
        + Comparison.Contender.allCases.map(comparison.median)
        + [comparison.ratio(.heckel, .locations), comparison.ratio(.heckel, .fresh)]
}

if CommandLine.arguments.count == 3, let number = Int(CommandLine.arguments[1]),
    let count = Int(CommandLine.arguments[2]), (0..<Case.count).contains(number)
{
    let pair = Pair(Case.make(number))
    var differ = ListDiffer()
    for _ in 0..<count { _ = pair.difference(&differ) }
} else {
    let titles =
        ["case", "changes (minimum)", "Heckel's", "allocations (result)"]
        + Comparison.Contender.allCases.map(\.rawValue) + ["Heckel / places", "Heckel / fresh"]
    print(titles.joined(separator: " | "))
    for number in 0..<Case.count {
        print(compare(Case.make(number)).joined(separator: " | "))
    }
}
