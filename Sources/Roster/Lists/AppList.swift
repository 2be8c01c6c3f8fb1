import ListAPI
import Listings
import Locks
import MemoryLists

final class AppList: ListSource {
    private struct Load: Sendable {
        var started = 0
        var finished = 0
        var isRunning = false
        var failure: SourceError?
    }

    let schema: ListSchema
    let emptyState: EmptyState?
    let dataSource = DataSource()
    let isLoaded: Bool
    /// Whether the rows wait for data that a closure fetches.
    let waitsForRows: Bool
    private let name: String
    private let base: DataSourceList
    private let deadline: Duration
    private let sections: Locked<[(id: SectionID, rows: any OpenedSection)]> = Locked([])
    private let load = Monitor(Load())
    /// Held while models are taken and shown.
    private let showing = NonReentrantLock()

    init(_ list: ListDeclaration, _ schema: ListSchema, _ columns: [[Listings.Column]]) throws {
        name = list.name
        emptyState = list.emptyState
        base = DataSourceList(dataSource, schema: schema)
        self.schema = base.schema
        isLoaded = list.sections.contains(where: \.isLoaded)
        waitsForRows = list.sections.contains(where: \.waitsForRows)
        deadline = list.sections.map(\.deadline).max() ?? .seconds(10)
        let infos = list.sectionInfos
        for (position, section) in list.sections.enumerated() {
            let opened = try section.open(
                columns[position],
                prefix: list.prefix(ofSection: position),
                in: self
            )
            sections.withLock { $0.append((infos[position].id, opened)) }
            let run = try opened.run()
            try dataSource.update { try $0.append(MemoryLists.Section(infos[position], run)) }
        }
        for section in opened { section.follow() }
    }

    var opened: [any OpenedSection] { sections.withLock { $0.map(\.rows) } }

    func position(of column: String) -> Int { schema.index(of: column) ?? 0 }

    func makeReader() throws(SourceError) -> any ListReader {
        AppListReader(try base.makeReader(), of: self)
    }

    func observe(_ action: @escaping @Sendable () -> Void) -> (any Sendable)? {
        base.observe(action)
    }

    /// Nil if there is no section at the position.
    func sectionID(at position: Int) -> SectionID? {
        sections.withLock { $0.indices.contains(position) ? $0[position].id : nil }
    }

    /// Moves a row, and gives the models of its section the order of the rows.
    func move(_ id: String, _ move: () throws(ActionError) -> Void) throws(ActionError) {
        let sections = sections.withLock { $0 }
        guard let section = sections.first(where: { $0.rows.contains(id) }) else {
            throw .unknownRow(id)
        }
        try section.rows.move { () throws(ActionError) in
            do throws(SourceError) { try check() } catch { throw .source(error) }
            try move()
            do { return try dataSource.snapshot.rowIDs(in: section.id) } catch {
                throw .failed(reason: "\(error)")
            }
        }
    }

    // MARK: - Showing models

    /// Takes models, and shows the current ones of all sections.
    ///
    /// The list cannot be read while its models have an error, such as equal ids.
    ///
    /// Loads as ``OpenedSection/load()`` does.
    func show(_ load: () throws -> [@Sendable () throws -> Bool]) {
        let loaded = Result { try load() }
        let isEntered = showing.enter()
        defer { if isEntered { showing.leave() } }
        var failure: SourceError?
        do {
            guard isEntered else { throw DataSourceError.reentrantUpdate }
            let isDifferent = try loaded.get().reduce(false) { try $1() || $0 }
            let sections = sections.withLock { $0 }
            let edits = { (snapshot: inout Snapshot) in
                for section in sections {
                    try snapshot.replaceRows(in: section.id, with: [try section.rows.run()])
                }
            }
            if isDifferent { try dataSource.update(edits) } else { try dataSource.exchange(edits) }
        } catch let error as SourceError {
            failure = error
        } catch {
            let text = ListDeclaration.text(of: error)
            failure = .unavailable(reason: "the models of '\(name)': \(text)")
        }
        self.load.withLock { $0.failure = failure }
    }

    func check() throws(SourceError) {
        if let failure = load.withLock({ $0.failure }) { throw failure }
    }

    /// Loads the models, together with the requests that arrived before the load began.
    ///
    /// Fails when the models cannot be loaded.
    func refresh() throws(SourceError) {
        guard isLoaded else { return try check() }
        let wanted = load.withLock { $0.started + 1 }
        var isOurs = false
        let isDone = load.wait(for: deadline * 3) { load in
            if load.finished >= wanted { return true }
            guard !load.isRunning else { return false }
            load.isRunning = true
            load.started += 1
            isOurs = true
            return true
        }
        guard isDone else { throw .outOfTime }
        if isOurs { perform() }
        try check()
    }

    private func perform() {
        let opened = opened
        show {
            // The load serves other requests, too, so that no client cancels it.
            try RequestCancellation.$current.withValue(nil) {
                try Waiting.result(within: deadline) {
                    var loaded: [@Sendable () throws -> Bool] = []
                    for section in opened { loaded.append(try await section.load()) }
                    return loaded
                }
            }
        }
        load.withLock { load in
            load.isRunning = false
            load.finished = load.started
        }
    }

    // MARK: - Writing

    var decidesWrites: Bool { true }

    var rules: RowRules? {
        // Clients write the rows of one type of models.
        let opened = opened
        return opened.count == 1 ? opened[0].rules(schema) : nil
    }

    func makeWriter() throws(SourceError) -> (any ListWriter)? {
        guard let rules else { return nil }
        return AppListWriter(rules, try makeReader(), of: self)
    }
}
