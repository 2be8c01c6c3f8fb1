import ListAPI
import Listings
import Locks

/// A page of models, which a program reads for a request.
///
/// ```swift
/// List("events", pages: { request in
///     let events = await log.events(after: request.cursor.flatMap(Int.init), limit: request.limit)
///     return ModelPage(events, next: events.last.map { "\($0.id)" })
/// }) { Column(\.text) }
/// ```
public struct ModelPage<Model: Sendable>: Sendable {
    /// The models, in their order.
    public let models: [Model]
    /// The position of the next page, in the words of the program; nil at the end.
    public let next: String?

    /// Creates a page.
    public init(_ models: [Model], next: String?) { (self.models, self.next) = (models, next) }
}

/// The page that a client requests.
///
/// ```swift
/// let events = await log.events(after: request.cursor, limit: request.limit)
/// ```
public struct PageRequest: Sendable {
    /// The ``ModelPage/next`` of the page before; nil for the first page.
    public let cursor: String?
    /// The largest number of models, 1...500.
    public let limit: Int
}

struct PagedSource: Sendable {
    let empty: Loaded
    /// Reads the list that has the models of a page, and its cursor.
    let page: @Sendable (PageRequest) async throws -> (list: Loaded, next: String?)
    /// Reads the list of one row; nil for an unknown one.
    let row: (@Sendable (String) async throws -> Loaded?)?

    typealias Loaded = @Sendable () throws -> AppList
}

/// A list whose models a program reads a page at a time.
final class PagedList: ListSource {
    let schema: ListSchema
    private let name: String
    private let source: PagedSource
    private let deadline: Duration
    private let emptyState: EmptyState?

    init(_ source: PagedSource, _ schema: ListSchema, of list: ListDeclaration) {
        name = list.name
        self.schema = schema.arranged(.own).readForward()
        (self.source, emptyState) = (source, list.emptyState)
        deadline = list.sections[0].deadline
    }

    func makeReader() throws(SourceError) -> any ListReader { Reader(self) }

    private final class Reader: ListReader {
        private let list: PagedList

        init(_ list: PagedList) { self.list = list }

        var canBeFollowed: Bool { false }
        var waitsForPrograms: Bool { true }
        var abilities: ReaderAbilities { .actions }

        // The program does not say when its models change.
        func version() throws(SourceError) -> ListVersion { .random() }

        func read(_ query: ListQuery, into page: inout Page) throws(SourceError) {
            let request = PageRequest(cursor: query.start.programCursor, limit: query.shape.limit)
            let (loaded, next) = try list.wait { [source = list.source] in
                try await source.page(request)
            }
            var whole = query
            (whole.start, whole.counting) = (.beginning, .off)
            try list.read(loaded) { (reader) throws(SourceError) in
                try reader.read(whole, into: &page)
            }
            (page.query, page.version) = (query, .random())
            page.next = next.map { next in
                Cursor(
                    signature: query.signature(of: page.list, schema: list.schema),
                    section: .named("all"),
                    row: Cursor.Row(values: [.text(next)])
                )
            }
            if page.rowCount == 0, next == nil, query.start == .beginning {
                page.emptyState = list.emptyState
            }
        }

        func readRow(
            _ id: String,
            grouping: Grouping?,
            into page: inout Page
        ) throws(SourceError) -> Bool {
            guard let loaded = try row(id) else {
                page.begin(
                    ListQuery(grouping: grouping, shape: .flow(limit: 1)),
                    version: .random()
                )
                return false
            }
            var isFound = false
            try list.read(loaded) { (reader) throws(SourceError) in
                isFound = try reader.readRow(id, grouping: grouping, into: &page)
            }
            return isFound
        }

        func perform(
            _ action: String,
            row id: String,
            for request: ActionRequest
        ) throws(ActionError) -> ActionOutcome {
            let reader: (any ListReader)?
            do throws(SourceError) {
                reader = try row(id).map(list.opened)?.makeReader()
            } catch {
                throw .source(error)
            }
            guard let reader else { throw .unknownRow(id) }
            return try reader.perform(action, row: id, for: request)
        }

        private func row(_ id: String) throws(SourceError) -> PagedSource.Loaded? {
            guard let row = list.source.row else { return nil }
            return try list.wait { try await row(id) }
        }
    }

    private func opened(_ loaded: PagedSource.Loaded) throws(SourceError) -> AppList {
        do { return try loaded() } catch {
            throw .unavailable(reason: ListDeclaration.text(of: error))
        }
    }

    private func read(
        _ loaded: PagedSource.Loaded,
        _ body: (any ListReader) throws(SourceError) -> Void
    ) throws(SourceError) { try body(try opened(loaded).makeReader()) }

    private func wait<Value: Sendable>(
        for body: @escaping @Sendable () async throws -> Value
    ) throws(SourceError) -> Value {
        do {
            return try Waiting.result(within: deadline, body)
        } catch SourceError.outOfTime {
            throw .late(name, deadline)
        } catch let error as SourceError {
            throw error
        } catch {
            throw .unavailable(reason: "the pages of '\(name)': \(error)")
        }
    }
}

extension ListQuery.Start {
    /// Nil for the beginning.
    fileprivate var programCursor: String? {
        guard case .text(let text)? = cursor?.row?.values.last else { return nil }
        return text
    }
}
