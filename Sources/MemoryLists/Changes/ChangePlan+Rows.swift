import Listings

/// Conversion from models to their rows, as clients count them.
extension ChangePlan {
    /// Replaces models by their rows.
    ///
    /// Both states give the positions.
    mutating func countRows() throws(DataSourceError) {
        deletes = try rows(of: deletes, in: old)
        inserts = try rows(of: inserts, in: new)
        var reloads: [(row: Row, change: ContentChange)] = []
        for (row, change) in self.reloads {
            for part in try rows(of: [row], in: new) { reloads.append((part, change)) }
        }
        self.reloads = reloads
        var moves: [Move] = []
        for move in self.moves {
            let from = Row(id: move.id, section: move.from.section, row: move.from.row)
            let to = Row(id: move.id, section: move.to.section, row: move.to.row)
            for (from, to) in zip(try rows(of: [from], in: old), try rows(of: [to], in: new)) {
                let move = Move(
                    id: to.id,
                    from: (from.section, from.row),
                    to: (to.section, to.row)
                )
                moves.append(move)
            }
        }
        self.moves = moves
    }

    private func rows(of models: [Row], in state: Snapshot) throws(DataSourceError) -> [Row] {
        var rows: [Row] = []
        for model in models {
            let rope = try state.node(at: state.position(of: model.section)).rows
            let first = rope.rowCount(0..<model.row)
            for (part, id) in rope.rowIDs(of: model.id, at: model.row).enumerated() {
                rows.append(Row(id: id, section: model.section, row: first + part))
            }
        }
        return rows
    }
}

extension Snapshot {
    /// Whether a model has the same part names as the model with its id in another state.
    func hasSameRows(
        _ place: RowOutcomes.Place,
        as other: RowOutcomes.Place,
        in state: Snapshot
    ) throws(DataSourceError) -> Bool {
        let own = try node(at: position(of: place.section)).rows.locate(place.row)
        let others = try state.node(at: state.position(of: other.section)).rows.locate(other.row)
        return own?.piece.storage.partNames == others?.piece.storage.partNames
    }

    /// The ids of the rows that a section shows, in their order.
    func shownRowIDs(in id: SectionID) throws(DataSourceError) -> [String] {
        let node = try node(at: position(of: id))
        guard !node.info.isCollapsed else { return [] }
        let models = try ids(at: 0..<node.rows.count, of: node)
        guard node.tally.width > 1 else { return models }
        return models.enumerated().flatMap { node.rows.rowIDs(of: $1, at: $0) }
    }
}

extension RowRope {
    /// The number of rows of a range of models.
    ///
    /// - Complexity: O(log n).
    func rowCount(_ models: Range<Int>) -> Int {
        rowCount(before: models.upperBound) - rowCount(before: models.lowerBound)
    }

    private func rowCount(before model: Int) -> Int {
        guard let found = pieces.first(where: { $0.models + $1.count > model }) else {
            return pieces.tally.parts
        }
        let (before, piece) = found
        return before.parts + (model - before.models) * piece.storage.rowsPerModel
    }

    /// The ids of the rows of a model.
    fileprivate func rowIDs(of id: String, at model: Int) -> [String] {
        let names = locate(model)?.piece.storage.partNames ?? []
        return names.isEmpty ? [id] : names.map { id + "#" + $0 }
    }
}
