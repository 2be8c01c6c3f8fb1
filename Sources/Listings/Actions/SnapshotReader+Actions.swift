/// Rows of a data source can be taken out and moved; those of a list that does not change offer
/// actions, but stay where they are.
extension SnapshotReader: ActingReader {
    var offersActions: Bool { state().snapshot.sections.tally.features.contains(.actions) }

    var offersMoves: Bool {
        dataSource != nil && state().snapshot.sections.tally.features.contains(.moves)
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
        let outcome = try place.storage.perform(action, rowWithID: id, of: place.position, section)
        if case .removed = outcome { try remove(snapshot.modelID(at: place.path)) }
        return outcome
    }

    /// Takes a model out, unless whatever performed the action has done so already.
    private func remove(_ model: String) throws(ActionError) {
        guard let dataSource else { throw .unchangeable }
        do {
            try dataSource.update { snapshot in
                if try snapshot.indexPath(of: model) != nil { try snapshot.remove([model]) }
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
    /// The rows of a section that a client is told when a move is refused.
    private static var toldRows: Int { 500 }

    fileprivate func actingPlace(ofRow id: String) throws(ActionError) -> ModelPlace {
        do {
            guard let place = try place(ofRow: id) else { throw ActionError.unknownRow(id) }
            return place
        } catch let error as SourceError {
            throw .source(error)
        } catch let error as ActionError {
            throw error
        } catch {
            throw .failed(reason: "\(error)")
        }
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
        let wanted = try path(of: target, for: place.path)
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

    /// The place that a row is asked to be moved to, counted without it; nil when the row that it is
    /// to stand beside is not there.
    private func path(of target: MoveTarget, for source: IndexPath) throws -> IndexPath? {
        switch target {
        case .to(let path): return path
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
