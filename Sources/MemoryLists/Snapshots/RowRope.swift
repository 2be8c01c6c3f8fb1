import Listings

/// The rows of one section in their order, as pieces of storages.
///
/// Copies share structure. An edit takes O(log pieces) and copies at most ``Piece/maximumMerged``
/// models, independent of the number of rows.
struct RowRope: Sendable {
    private(set) var pieces = BalancedTree<Piece>()
    private var space = OrderKeyAllocator()

    /// O(1).
    var count: Int { pieces.tally.models }

    func locate(_ index: Int) -> (piece: Piece, offset: Int)? {
        pieces.first { before, piece in before.models + piece.count > index }
            .map { ($0.element, index - $0.before.models) }
    }

    /// Nil if the row does not exist.
    func label(at index: Int) -> OrderLabel? {
        locate(index).map { $0.piece.label(at: $0.offset) }
    }

    /// The row count if there is none.
    func index(notBefore label: OrderLabel) -> Int {
        let found = pieces.first { _, piece in
            piece.label(at: piece.count - 1) >= label
        }
        guard let found else { return count }
        return found.before.models + found.element.offset(notBefore: label)
    }

    /// Nil if the row was removed.
    func index(of label: OrderLabel) -> Int? {
        let index = index(notBefore: label)
        return self.label(at: index) == label ? index : nil
    }

    /// The first and the last are cut to the range.
    func pieces(in range: Range<Int>) -> [Piece] {
        var found: [Piece] = []
        guard !range.isEmpty else { return found }
        let isInside = { (before: RopeSummary, piece: Piece) in
            before.models + piece.count > range.lowerBound
        }
        pieces.visit(from: isInside) { before, piece in
            guard before.models < range.upperBound else { return false }
            let all = before.models..<before.models + piece.count
            let wanted = all.clamped(to: range)
            let offsets = wanted.lowerBound - before.models..<wanted.upperBound - before.models
            found.append(wanted == all ? piece : piece.slice(offsets))
            return true
        }
        return found
    }

    mutating func insert(
        _ rows: [(storage: any RunStorage, range: Range<Int>, isIndexed: Bool)],
        at index: Int,
        serial: Int64
    ) throws(SourceError) {
        let rows = rows.filter { !$0.range.isEmpty }
        let count = rows.reduce(0) { $0 + $1.range.count }
        guard count > 0 else { return }
        let first = space.labels(
            count,
            between: index > 0 ? label(at: index - 1) : nil,
            and: label(at: index),
            serial: serial
        )
        var inserted: [Piece] = []
        var offset = 0
        for row in rows {
            let label = OrderLabel(
                prefix: first.prefix,
                number: first.number + Int64(offset),
                serial: first.serial
            )
            inserted.append(
                Piece(row.storage, row.range, first: label, isIndexed: row.isIndexed)
            )
            offset += row.range.count
        }
        let (left, right) = cut(at: index)
        try splice(left, inserted, right)
    }

    mutating func remove(_ range: Range<Int>) throws(SourceError) {
        guard !range.isEmpty else { return }
        let (left, rest) = cut(at: range.lowerBound)
        let (_, right) = RowRope(rest).cut(at: range.count)
        try splice(left, [], right)
    }

    /// Replaces all rows; some keep the label of an old one.
    ///
    /// Cursors name labels, so that a page continues where it was. `kept` has the index of that old
    /// row for each new one, in rising order; nil for a row without one. `serial` is unique.
    mutating func replaceAll(
        with rows: [(storage: any RunStorage, range: Range<Int>, isIndexed: Bool)],
        keeping kept: [Int?],
        serial: () -> Int64
    ) {
        var old: [OrderLabel] = []
        pieces.visit { _, piece in
            for offset in 0..<piece.count { old.append(piece.label(at: offset)) }
            return true
        }
        var labels: [OrderLabel] = []
        while labels.count < kept.count {
            if let index = kept[labels.count] {
                labels.append(old[index])
                continue
            }
            let end = kept[labels.count...].firstIndex { $0 != nil }
            let next = end.flatMap { kept[$0] }.map { old[$0] }
            let count = (end ?? kept.count) - labels.count
            let first = space.labels(count, between: labels.last, and: next, serial: serial())
            for number in first.number..<first.number + Int64(count) {
                labels.append(
                    OrderLabel(prefix: first.prefix, number: number, serial: first.serial)
                )
            }
        }
        var start = 0
        pieces = BalancedTree(
            rows.filter { !$0.range.isEmpty }.map { row in
                defer { start += row.range.count }
                let own = labels[start..<start + row.range.count]
                return Piece(row.storage, row.range, labels: own, isIndexed: row.isIndexed)
            }
        )
    }

    /// The new model has the same label.
    mutating func replace(at index: Int, with storage: any RunStorage) throws(SourceError) {
        guard let label = label(at: index) else { return }
        let (left, rest) = cut(at: index)
        let (_, right) = RowRope(rest).cut(at: 1)
        try splice(left, [Piece(storage, 0..<1, first: label, isIndexed: true)], right)
    }

    /// False if there are no such models.
    mutating func rebind<Model>(to registration: Registration<Model>) -> Bool {
        var rebound: [Piece] = []
        var isChanged = false
        pieces.visit { _, piece in
            let other = piece.rebound(to: registration)
            isChanged = isChanged || other != nil
            rebound.append(other ?? piece)
            return true
        }
        if isChanged { pieces = BalancedTree(rebound) }
        return isChanged
    }

    // MARK: - Trees

    init() {}

    private init(_ pieces: BalancedTree<Piece>) { self.pieces = pieces }

    private func cut(at index: Int) -> (BalancedTree<Piece>, BalancedTree<Piece>) {
        let (left, right) = pieces.split { before, piece in before.models + piece.count > index }
        let offset = index - left.tally.models
        guard offset > 0, let first = right.first else { return (left, right) }
        return (
            left.joined(first.slice(0..<offset), BalancedTree()),
            BalancedTree().joined(first.slice(offset..<first.count), right.droppingFirst())
        )
    }

    /// Also merges small neighbors.
    private mutating func splice(
        _ left: BalancedTree<Piece>,
        _ middle: [Piece],
        _ right: BalancedTree<Piece>
    ) throws(SourceError) {
        let seam = [left.last].compactMap(\.self) + middle + [right.first].compactMap(\.self)
        var merged: [Piece] = []
        for piece in seam {
            if let last = merged.last, let both = try last.merged(with: piece) {
                merged[merged.count - 1] = both
            } else {
                merged.append(piece)
            }
        }
        let before = left.isEmpty ? left : left.droppingLast()
        let after = right.isEmpty ? right : right.droppingFirst()
        pieces = before.joined(with: BalancedTree(merged)).joined(with: after)
    }
}
