import Listings

/// What a library for iOS asks of a model: a name, and whether it shows the same as another one.
protocol NamedModel {
    associatedtype Name: Hashable
    var name: Name { get }
    func showsSame(as other: Self) -> Bool
}

/// The difference of two lists by Paul Heckel's algorithm, in plain Swift.
///
/// Written from "A technique for isolating differences between files" (Communications of the ACM
/// 21, 4, April 1978), six passes as they stand there; it stands in for the libraries of that
/// family, of which none can be had where no package can be fetched. Like theirs its time goes into
/// a dictionary of all names, and its moves are those that running offsets do not explain.
struct HeckelDifference<Model: NamedModel> {
    /// What is known of a name.
    private struct Symbol {
        var oldCount = 0
        var newCount = 0
        /// Where it stands in the old list.
        var oldPlace = 0
    }
    /// A line of a list: the number of its name, or its place in the other list.
    private enum Line {
        case symbol(Int)
        case location(Int)
    }

    private(set) var deleted: [IndexPath] = []
    private(set) var inserted: [IndexPath] = []
    private(set) var updated: [IndexPath] = []
    private(set) var moved: [(from: IndexPath, to: IndexPath)] = []

    private var symbols: ContiguousArray<Symbol> = []
    private var numbers: [Model.Name: Int] = [:]

    /// Finds how one list became another one.
    init(from old: [Model], to new: [Model]) {
        numbers.reserveCapacity(max(old.count, new.count))
        symbols.reserveCapacity(max(old.count, new.count))
        var newLines: ContiguousArray<Line> = []
        newLines.reserveCapacity(new.count)
        for model in new {
            let number = number(of: model)
            symbols[number].newCount += 1
            newLines.append(.symbol(number))
        }
        var oldLines: ContiguousArray<Line> = []
        oldLines.reserveCapacity(old.count)
        for (location, model) in old.enumerated() {
            let number = number(of: model)
            symbols[number].oldCount += 1
            symbols[number].oldPlace = location
            oldLines.append(.symbol(number))
        }
        pairUnique(&oldLines, &newLines)
        Self.spread(&oldLines, &newLines, by: 1, over: Array(newLines.indices))
        Self.spread(&oldLines, &newLines, by: -1, over: newLines.indices.reversed())
        readOff(old, oldLines, new, newLines)
    }

    /// What a client is asked to do, counted.
    var changeCount: Int { deleted.count + inserted.count + updated.count + moved.count }

    private mutating func number(of model: Model) -> Int {
        let next = symbols.count
        let number = numbers[model.name, default: next]
        if number == next {
            numbers[model.name] = next
            symbols.append(Symbol())
        }
        return number
    }

    /// Pairs the lines whose names stand once in each list.
    private func pairUnique(
        _ oldLines: inout ContiguousArray<Line>,
        _ newLines: inout ContiguousArray<Line>
    ) {
        for location in newLines.indices {
            guard case .symbol(let number) = newLines[location] else { continue }
            let symbol = symbols[number]
            guard symbol.oldCount == 1, symbol.newCount == 1 else { continue }
            newLines[location] = .location(symbol.oldPlace)
            oldLines[symbol.oldPlace] = .location(location)
        }
    }

    /// Pairs lines of one name that stand beside lines that are paired.
    private static func spread(
        _ oldLines: inout ContiguousArray<Line>,
        _ newLines: inout ContiguousArray<Line>,
        by step: Int,
        over locations: [Int]
    ) {
        for location in locations {
            guard case .location(let partner) = newLines[location],
                newLines.indices.contains(location + step),
                oldLines.indices.contains(partner + step),
                case .symbol(let own) = newLines[location + step],
                case .symbol(let other) = oldLines[partner + step], own == other
            else { continue }
            newLines[location + step] = .location(partner + step)
            oldLines[partner + step] = .location(location + step)
        }
    }

    private mutating func readOff(
        _ old: [Model],
        _ oldLines: ContiguousArray<Line>,
        _ new: [Model],
        _ newLines: ContiguousArray<Line>
    ) {
        var deletedBefore: ContiguousArray<Int> = []
        deletedBefore.reserveCapacity(old.count)
        for location in old.indices {
            deletedBefore.append(deleted.count)
            if case .symbol = oldLines[location] {
                deleted.append(IndexPath(section: 0, row: location))
            }
        }
        for location in new.indices {
            let path = IndexPath(section: 0, row: location)
            guard case .location(let partner) = newLines[location] else {
                inserted.append(path)
                continue
            }
            if !new[location].showsSame(as: old[partner]) { updated.append(path) }
            if partner - deletedBefore[partner] + inserted.count != location {
                moved.append((IndexPath(section: 0, row: partner), path))
            }
        }
    }
}
