import ListDiff
import Listings

/// Two versions of a list, as numbers.
struct Case {
    let name: String
    let old: [UInt64]
    let new: [UInt64]
    /// Places of the new version whose contents changed.
    var touched: Set<Int> = []
    /// Whether the standard library can be waited for: its time grows with rows times changes.
    var isForMyers = true

    /// The two versions as the engine takes them.
    var digests: (old: ListDigest, new: ListDigest) {
        var (before, after) = (ListDigest(), ListDigest())
        before.appendRows(old)
        after.appendRows(new, revisions: new.indices.map { touched.contains($0) ? 1 : 0 })
        return (before, after)
    }

    /// The fewest changes that lead from one to the other: what went, what came, what shows
    /// something else, and the rows outside of the longest common order.
    var minimum: Int {
        var locations: [UInt64: Int] = [:]
        for (location, id) in old.enumerated() { locations[id] = location }
        let kept = new.compactMap { locations[$0] }
        var piles: [Int] = []
        for location in kept {
            var (low, high) = (0, piles.count)
            while low < high {
                let middle = (low + high) / 2
                if piles[middle] < location { low = middle + 1 } else { high = middle }
            }
            if low == piles.count { piles.append(location) } else { piles[low] = location }
        }
        let reloads = touched.count { locations[new[$0]] != nil }
        return old.count - kept.count + new.count - kept.count + kept.count - piles.count + reloads
    }
}

extension Case {
    /// The published cases of the libraries for iOS, and what is hard for one or the other.
    static let count = 11

    /// Makes the case of a number below ``count``.
    static func make(_ number: Int) -> Case {
        var random = Numbers(state: UInt64(number))
        let thousands = Array(UInt64(0)..<100_000)
        return switch number {
        case 0: readme("2,000: 100 out, 200 in", 2_000, out: 500..<600, in: 200, &random)
        case 1:
            readme(
                "5,000: 1,000 out, 1,000 in, 200 moved",
                5_000,
                out: 1_000..<2_000,
                in: 1_000,
                moved: 200,
                &random
            )
        case 2:
            readme(
                "100,000: 10,000 out, 10,000 in, 2,000 moved",
                100_000,
                out: 10_000..<20_000,
                in: 10_000,
                moved: 2_000,
                isForMyers: false,
                &random
            )
        case 3:
            touchedEverywhere("1,000,000: ¼ % each out, in, moved, changed", 1_000_000, &random)
        case 4:
            Case(
                name: "10,000: the first to the end",
                old: Array(0..<10_000),
                new: Array(1..<10_000) + [0]
            )
        case 5: Case(name: "100,000: the same", old: thousands, new: thousands)
        case 6:
            Case(
                name: "100,000: all others",
                old: ids(100_000, &random),
                new: ids(100_000, &random),
                isForMyers: false
            )
        case 7: shuffled("10,000: shuffled", 10_000, &random)
        case 8: shuffled("100,000: shuffled", 100_000, &random)
        case 9:
            Case(
                name: "100,000: turned round",
                old: thousands,
                new: thousands.reversed(),
                isForMyers: false
            )
        default:
            Case(
                name: "100,000: halves swapped",
                old: thousands,
                new: Array(thousands[50_000...] + thousands[..<50_000]),
                isForMyers: false
            )
        }
    }

    private static func ids(_ count: Int, _ random: inout Numbers) -> [UInt64] {
        (0..<count).map { _ in random.next() }
    }

    private static func readme(
        _ name: String,
        _ count: Int,
        out: Range<Int>,
        in arriving: Int,
        moved: Int = 0,
        isForMyers: Bool = true,
        _ random: inout Numbers
    ) -> Case {
        let old = ids(count, &random)
        var new = old
        new.removeSubrange(out)
        let location = new.count / 2
        new.insert(contentsOf: ids(arriving, &random), at: location)
        move(moved, in: &new, &random)
        return Case(name: name, old: old, new: new, isForMyers: isForMyers)
    }

    private static func touchedEverywhere(
        _ name: String,
        _ count: Int,
        _ random: inout Numbers
    ) -> Case {
        let share = count / 400
        let old = ids(count, &random)
        var isGone = Array(repeating: false, count: count)
        for _ in 0..<share { isGone[Int.random(in: 0..<count, using: &random)] = true }
        var added: [Int: [UInt64]] = [:]
        for _ in 0..<share {
            added[Int.random(in: 0..<count, using: &random), default: []].append(random.next())
        }
        for _ in 0..<share {
            let from = Int.random(in: 0..<count, using: &random)
            guard !isGone[from] else { continue }
            isGone[from] = true
            added[Int.random(in: 0..<count, using: &random), default: []].append(old[from])
        }
        var new: [UInt64] = []
        new.reserveCapacity(count + share)
        for location in 0..<count {
            new += added[location] ?? []
            if !isGone[location] { new.append(old[location]) }
        }
        var touched: Set<Int> = []
        for _ in 0..<share { touched.insert(Int.random(in: 0..<new.count, using: &random)) }
        return Case(name: name, old: old, new: new, touched: touched, isForMyers: false)
    }

    private static func shuffled(
        _ name: String,
        _ count: Int,
        _ random: inout Numbers
    ) -> Case {
        let old = ids(count, &random)
        return Case(
            name: name,
            old: old,
            new: old.shuffled(using: &random),
            isForMyers: false
        )
    }

    private static func move(_ count: Int, in rows: inout [UInt64], _ random: inout Numbers) {
        for _ in 0..<count {
            let row = rows.remove(at: Int.random(in: 0..<rows.count, using: &random))
            rows.insert(row, at: Int.random(in: 0...rows.count, using: &random))
        }
    }
}

/// SplitMix64: the same cases in every run.
struct Numbers: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
