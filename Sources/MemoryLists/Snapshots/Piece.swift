import Listings

/// Consecutive rows of a section: a range of one storage, and their labels.
struct Piece: Summarized {
    /// Merging prevents that many small edits leave many small pieces.
    static var maximumMerged: Int { 512 }

    private struct Labels: Sendable {
        var start: Int
        var first: OrderLabel

        func label(at offset: Int) -> OrderLabel {
            OrderLabel(
                prefix: first.prefix,
                number: first.number + Int64(offset - start),
                serial: first.serial
            )
        }
    }

    let storage: any RunStorage
    let range: Range<Int>
    /// Whether the snapshot's id index contains the rows.
    let isIndexed: Bool
    private let labels: [Labels]

    init(_ storage: any RunStorage, _ range: Range<Int>, first: OrderLabel, isIndexed: Bool) {
        self.init(storage, range, labels: [Labels(start: 0, first: first)], isIndexed: isIndexed)
    }

    /// There is a label for each row.
    init(
        _ storage: any RunStorage,
        _ range: Range<Int>,
        labels all: ArraySlice<OrderLabel>,
        isIndexed: Bool
    ) {
        var labels: [Labels] = []
        for (offset, label) in all.enumerated() where labels.last?.label(at: offset) != label {
            labels.append(Labels(start: offset, first: label))
        }
        self.init(storage, range, labels: labels, isIndexed: isIndexed)
    }

    private init(
        _ storage: any RunStorage,
        _ range: Range<Int>,
        labels: [Labels],
        isIndexed: Bool
    ) {
        self.storage = storage
        self.range = range
        self.labels = labels
        self.isIndexed = isIndexed
    }

    var count: Int { range.count }

    var tally: RopeSummary {
        RopeSummary(
            elements: 1,
            models: count,
            rows: count,
            parts: count * storage.rowsPerModel,
            shownParts: count * storage.rowsPerModel,
            width: storage.rowsPerModel,
            features: storage.features,
            unindexedModels: isIndexed ? 0 : count,
            findableModels: !isIndexed && storage.isIndexed ? count : 0
        )
    }

    func label(at offset: Int) -> OrderLabel {
        var low = 0
        var high = labels.count - 1
        while low < high {
            let middle = (low + high + 1) / 2
            if labels[middle].start <= offset { low = middle } else { high = middle - 1 }
        }
        return labels[low].label(at: offset)
    }

    /// The count if there is none.
    func offset(notBefore label: OrderLabel) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if self.label(at: middle) < label { low = middle + 1 } else { high = middle }
        }
        return low
    }

    func slice(_ offsets: Range<Int>) -> Piece {
        var kept: [Labels] = [Labels(start: 0, first: label(at: offsets.lowerBound))]
        for part in labels
        where part.start > offsets.lowerBound && part.start < offsets.upperBound {
            kept.append(Labels(start: part.start - offsets.lowerBound, first: part.first))
        }
        let start = range.lowerBound + offsets.lowerBound
        return Piece(
            storage,
            start..<start + offsets.count,
            labels: kept,
            isIndexed: isIndexed
        )
    }

    /// Nil if the rows are of another type.
    func rebound<Model>(to registration: Registration<Model>) -> Piece? {
        storage.rebound(to: registration).map {
            Piece($0, range, labels: labels, isIndexed: isIndexed)
        }
    }

    /// Nil if the pieces cannot or should not be merged.
    ///
    /// Adjacent ranges of one storage are always merged. Other pieces are merged by copying if both
    /// together are small.
    func merged(with next: Piece) throws(SourceError) -> Piece? {
        guard isIndexed == next.isIndexed else { return nil }
        if storage === next.storage, range.upperBound == next.range.lowerBound {
            return Piece(
                storage,
                range.lowerBound..<next.range.upperBound,
                labels: joinedLabels(with: next),
                isIndexed: isIndexed
            )
        }
        guard isIndexed, count + next.count <= Self.maximumMerged,
            let both = try storage.merged(range, with: next.storage, next.range)
        else { return nil }
        return Piece(both, 0..<both.count, labels: joinedLabels(with: next), isIndexed: true)
    }

    private func joinedLabels(with next: Piece) -> [Labels] {
        var joined = labels
        for part in next.labels {
            let start = part.start + count
            if let last = joined.last, last.label(at: start) == part.first { continue }
            joined.append(Labels(start: start, first: part.first))
        }
        return joined
    }
}
