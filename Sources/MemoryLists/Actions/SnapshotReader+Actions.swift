import Listings

/// Rows of a data source can be removed and moved. Rows of a list that never changes can only offer
/// actions.
extension SnapshotReader: ActionReader {
    var offersActions: Bool { state().snapshot.sections.tally.features.contains(.actions) }

    var offersMoves: Bool {
        dataSource?.hasMoves ?? false
    }

    func perform(_ action: String, row id: String) throws(ActionError) -> ActionOutcome {
        let snapshot = state().snapshot
        let place = try snapshot.actingPlace(ofRow: id)
        let section: SectionInfo
        do {
            section = try self.section(
                ofRow: place.path.row,
                in: place.node,
                schema.defaultGrouping
            )
        } catch {
            throw .source(error)
        }
        let outcome = try place.storage.perform(
            action,
            rowWithID: place.id,
            of: place.position,
            section
        )
        if case .removed = outcome { try remove(snapshot.modelID(at: place.path), place) }
        return outcome
    }

    /// Removes a model, unless the action has already removed it.
    ///
    /// For a child row, its topmost row is reconfigured instead, because children are not in the
    /// snapshot.
    private func remove(_ model: String, _ place: ModelPosition) throws(ActionError) {
        guard let dataSource else { throw .unchangeable }
        do {
            try dataSource.update { snapshot in
                guard try snapshot.indexPath(of: model) != nil else { return }
                if place.isBelow {
                    try snapshot.reconfigure([model])
                } else {
                    try snapshot.remove([model])
                }
            }
        } catch {
            throw .failed(reason: "\(error)")
        }
    }

    func move(row id: String, to target: MoveTarget) throws(ActionError) {
        guard let dataSource else { throw .unchangeable }
        do {
            try dataSource.update { try $0.move(row: id, to: target) }
        } catch let error as ActionError {
            throw error
        } catch {
            throw .failed(reason: "\(error)")
        }
    }
}

extension Snapshot {
    /// The maximum number of rows sent to the client when a move is refused.
    private static var toldRows: Int { 500 }

    fileprivate func actingPlace(ofRow id: String) throws(ActionError) -> ModelPosition {
        do {
            if let place = try place(ofRow: id) { return place }
            return try placeBelow(id)
        } catch let error as SourceError {
            throw .source(error)
        } catch let error as ActionError {
            throw error
        } catch {
            throw .failed(reason: "\(error)")
        }
    }

    /// The position of a child row.
    private func placeBelow(_ id: String) throws -> ModelPosition {
        guard sections.tally.features.contains(.children), let ids = RowPath(id)?.ids,
            var place = try place(ofRow: ids[0])
        else { throw ActionError.unknownRow(id) }
        for next in ids.dropFirst() {
            let run = try place.storage.children(
                ofRow: place.id,
                of: place.position,
                place.node.info
            )
            guard let storage = run?.storage, let position = try storage.position(ofRow: next)
            else { throw ActionError.unknownRow(id) }
            place = ModelPosition(
                path: place.path,
                node: place.node,
                storage: storage,
                position: position,
                id: next,
                isBelow: true
            )
        }
        return place
    }

    fileprivate func modelID(at path: IndexPath) throws(ActionError) -> String {
        do {
            return try id(at: path)
        } catch {
            throw .failed(reason: "\(error)")
        }
    }

    fileprivate mutating func move(row id: String, to target: MoveTarget) throws {
        let place = try actingPlace(ofRow: id)
        // The registration's `children` closure alone decides the order of child rows.
        guard !place.isBelow else { throw ActionError.refusedMove(order: []) }
        let wanted = try path(of: target, for: place.path, among: place.node.rows.count)
        // A step at an end changes nothing, so `adjustMove` is not called.
        if wanted == place.path, [.up, .down].contains(target) { return }
        let adjusted = try wanted.flatMap { wanted in
            try place.storage.adjustMove(
                to: wanted,
                rowWithID: id,
                of: place.position,
                place.node.info
            )
        }
        do {
            guard let adjusted else { throw DataSourceError.outOfBounds(place.path) }
            try move(from: place.path, to: adjusted)
        } catch DataSourceError.outOfBounds {
            let count = min(Self.toldRows, place.node.rows.count)
            throw ActionError.refusedMove(order: try ids(at: 0..<count, of: place.node))
        }
    }

    /// The target position of a move, counted without the row itself.
    ///
    /// - Returns: nil when the row that the target names does not exist.
    private func path(
        of target: MoveTarget,
        for source: IndexPath,
        among count: Int
    ) throws -> IndexPath? {
        switch target {
        case .to(let path): return path
        case .up: return IndexPath(section: source.section, row: max(source.row - 1, 0))
        case .down: return IndexPath(section: source.section, row: min(source.row + 1, count - 1))
        case .before(let other):
            return try place(ofRow: other).map { source.shifting($0.path) }
        case .after(let other):
            guard let place = try place(ofRow: other) else { return nil }
            guard place.path != source else { return source }
            let path = source.shifting(place.path)
            return IndexPath(section: path.section, row: path.row + 1)
        }
    }
}
