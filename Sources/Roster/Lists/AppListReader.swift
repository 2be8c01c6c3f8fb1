import Listings

final class AppListReader: ListReader {
    private let base: any ListReader
    private let list: AppList
    /// The models were loaded for the current request.
    private var isCurrent = false

    init(_ base: any ListReader, of list: AppList) {
        self.base = base
        self.list = list
    }

    func limit(to times: ReadingTimes) { base.limit(to: times) }
    func finishCounting(of query: ListQuery) { base.finishCounting(of: query) }

    /// An event loop never waits for the program.
    var isImmediate: Bool {
        !list.isLoaded && !list.waitsForRows && hasFetched && base.isImmediate
    }
    /// Whether the models of another service are there, if one has them.
    private var hasFetched: Bool { list.remote?.snapshot().isLoaded ?? true }
    var isStale: Bool { list.remote?.snapshot().isStale ?? false }
    var refreshState: RefreshState? { list.remote?.state() }
    func refresh() { list.remote?.refresh() }
    var abilities: ReaderAbilities { base.abilities }
    var firstOwnSection: SectionID? { base.firstOwnSection }

    func begin() { isCurrent = false }

    var waitsForPrograms: Bool { true }

    private func loadModels() throws(SourceError) {
        try list.remote?.wait()
        guard list.isLoaded else { return try list.check() }
        guard !isCurrent else { return }
        try list.refresh()
        isCurrent = true
    }

    func version() throws(SourceError) -> ListVersion {
        try loadModels()
        return try base.version()
    }

    func immediateVersion() throws(SourceError) -> ListVersion? {
        list.isLoaded || !hasFetched ? nil : try version()
    }

    func read(_ query: ListQuery, into page: inout Page) throws(SourceError) {
        try loadModels()
        let isStale = isStale
        try base.read(query, into: &page)
        page.isStale = isStale
        guard page.rowCount == 0, !query.isNarrowed, query.sections == nil else { return }
        page.emptyState = list.emptyState
    }

    func start(
        around id: String,
        of query: ListQuery,
        using page: inout Page
    ) throws(SourceError) -> ListQuery.Start {
        try loadModels()
        return try base.start(around: id, of: query, using: &page)
    }

    func readRow(
        _ id: String,
        grouping: Grouping?,
        into page: inout Page
    ) throws(SourceError) -> Bool {
        try loadModels()
        let isStale = isStale
        let isFound = try base.readRow(id, grouping: grouping, into: &page)
        page.isStale = isStale
        return isFound
    }

    func perform(
        _ action: String,
        row id: String,
        for request: ActionRequest
    ) throws(ActionError) -> ActionOutcome {
        isCurrent = false
        let outcome = try base.perform(action, row: id, for: request)
        // The program may have added a row of the same id before the reader removed this one.
        if case .removed = outcome, !list.isLoaded { list.show { [{ true }] } }
        return outcome
    }

    func move(row id: String, to target: MoveTarget) throws(ActionError) {
        try list.move(id) { () throws(ActionError) in try base.move(row: id, to: target) }
    }
}
