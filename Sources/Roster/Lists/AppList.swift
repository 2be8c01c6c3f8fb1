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

    private struct Part: Sendable {
        let info: SectionInfo
        let emptyText: String?
        let deadline: Duration
        let rows: any OpenedSection

        func shown(hasFailed: Bool = false) throws -> (info: SectionInfo, runs: [Run]) {
            let runs = hasFailed ? [] : try rows.runs()
            var info = info
            if hasFailed {
                info.footer = "These rows cannot be loaded at the moment."
            } else if let emptyText, runs.allSatisfy({ $0.count == 0 }) {
                info.footer = emptyText
            }
            return (info, runs)
        }
    }

    let schema: ListSchema
    let emptyState: EmptyState?
    let dataSource = DataSource()
    /// Nil unless another service has the models.
    let remote: RemoteRows?
    let isLoaded: Bool
    /// Whether the rows wait for data that a closure fetches.
    let waitsForRows: Bool
    private let name: String
    private let base: DataSourceList
    private let deadline: Duration
    private let sections: Locked<[Part]> = Locked([])
    /// The reasons why sections could not be loaded.
    private let failures: Locked<[SectionID: String]> = Locked([:])
    private let load = Monitor(Load())
    /// Held while models are taken and shown.
    private let showing = NonReentrantLock()
    /// Held while a row is moved.
    private let moving = NonReentrantLock()
    /// False while a row is in neither of two sections.
    private let isShowing = Locked(true)

    init(_ list: ListDeclaration, _ schema: ListSchema, _ columns: [[[Listings.Column]]]) throws {
        name = list.name
        (emptyState, remote) = (list.emptyState, list.remote)
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
            let part = Part(
                info: infos[position],
                emptyText: section.emptyText,
                deadline: section.deadline,
                rows: opened
            )
            sections.withLock { $0.append(part) }
            let shown = try part.shown()
            try dataSource.update {
                try $0.append(MemoryLists.Section(shown.info, runs: shown.runs))
            }
        }
        for section in opened { section.follow() }
        remote?.begin()
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
    func section(at position: Int) -> (any OpenedSection)? {
        sections.withLock { $0.indices.contains(position) ? $0[position].rows : nil }
    }

    /// Moves a row, and gives the models of its sections the order of the rows.
    func move(_ id: String, _ move: () throws(ActionError) -> Void) throws(ActionError) {
        // Two moves between the same sections would wait for each other.
        guard moving.enter() else { throw .unchangeable }
        defer { moving.leave() }
        guard let section = opened.first(where: { $0.contains(id) }) else {
            throw .unknownRow(id)
        }
        try section.move(id) { () throws(ActionError) in
            do throws(SourceError) { try check() } catch { throw .source(error) }
            try move()
            let snapshot = dataSource.snapshot
            do {
                guard let path = try snapshot.indexPath(of: id) else {
                    throw DataSourceError.unknownID(id)
                }
                let target = sections.withLock { $0[path.section] }
                return (target.rows, try snapshot.rowIDs(in: target.info.id))
            } catch {
                throw .failed(reason: "\(error)")
            }
        }
    }

    /// Takes the models that change meanwhile, but shows them only with the next change.
    func withoutShowing(_ body: () throws(ActionError) -> Void) throws(ActionError) {
        isShowing.replace(with: false)
        defer { isShowing.replace(with: true) }
        try body()
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
            guard isShowing.withLock(\.self) else { return }
            let sections = sections.withLock { $0 }
            let failures = failures.withLock { $0 }
            let edits = { (snapshot: inout Snapshot) in
                for section in sections {
                    let hasFailed = failures[section.info.id] != nil
                    let (info, runs) = try section.shown(hasFailed: hasFailed)
                    try snapshot.describeSection(info)
                    try snapshot.replaceRows(in: info.id, with: runs)
                }
            }
            if isDifferent { try dataSource.update(edits) } else { try dataSource.exchange(edits) }
        } catch SourceError.outOfTime {
            failure = .late(name, deadline)
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
        let sections = sections.withLock { $0 }
        show {
            // The load serves other requests, too, so that no client cancels it.
            let loads = RequestCancellation.$current.withValue(nil) {
                RequestCaller.$name.withValue(nil) {
                    Waiting.results(sections.map { ($0.deadline, $0.rows.load) })
                }
            }
            let failed = zip(sections, loads).compactMap {
                section,
                load -> (SectionID, any Error)? in
                guard case .failure(let error) = load else { return nil }
                return (section.info.id, error)
            }
            if failed.count == sections.count { return try loads.map { try $0.get() } }
            let isDifferent = note(failed)
            return loads.compactMap { try? $0.get() } + [{ isDifferent }]
        }
        load.withLock { load in
            load.isRunning = false
            load.finished = load.started
        }
    }

    /// Stores which sections could not be loaded, and returns whether they are others than before.
    private func note(_ failed: [(id: SectionID, error: any Error)]) -> Bool {
        let new = Dictionary(uniqueKeysWithValues: failed.map { ($0.id, "\($0.error)") })
        let old = failures.withLock { failures in
            defer { failures = new }
            return failures
        }
        for (id, reason) in new.sorted(by: { $0.key.rawValue < $1.key.rawValue })
        where old[id] != reason {
            Diagnostics.write("\(name): the section '\(id)' cannot be loaded: \(reason)", .error)
        }
        return Set(new.keys) != Set(old.keys)
    }

    // MARK: - Writing

    var decidesWrites: Bool { true }

    var rules: RowRules? {
        let opened = opened
        let operations = opened.reduce(into: Set()) { $0.formUnion($1.operations) }
        guard !operations.isEmpty else { return nil }
        let names = opened.flatMap(\.writableColumns)
        return RowRules(schema).setting(Set(names.compactMap(schema.index)).sorted(), operations)
    }

    /// Returns the section that takes a change, after the models are loaded; nil if none has the row.
    func section(of change: RowChange) throws(SourceError) -> (any OpenedSection)? {
        guard change.verb != .insert else {
            return opened.first { $0.operations.contains(.create) }
        }
        guard opened.count > 1, let id = change.id else { return opened.first }
        try refresh()
        return opened.first { $0.contains(id) }
    }

    func makeWriter() throws(SourceError) -> (any ListWriter)? {
        guard let rules else { return nil }
        return AppListWriter(rules, try makeReader(), of: self)
    }
}
