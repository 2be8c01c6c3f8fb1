import HTTP
import Listings
import Rendering
import Synchronization

/// Somebody who asks, and what they may do.
final class Caller: Sendable {
    /// Who it is; nil for somebody without a name.
    let name: String?
    /// Whether metrics and how lists are set up are told.
    let mayOperate: Bool
    /// The generation of the lists that the views are of: conditions name columns by their places.
    let generation: Int
    /// A number that callers share whose views are the same.
    ///
    /// A table that is read again gives other numbers, so no number is ever of other rights. 0 is of
    /// services that know no callers.
    let scope: UInt64
    /// What may be done with each list.
    private let views: [String: ListView]
    private static let lastScope = Atomic<UInt64>(0)

    /// Creates a caller.
    ///
    /// - Parameters:
    ///   - name: Its name; nil for a caller without one.
    ///   - mayOperate: Whether metrics and the setup of lists are told.
    ///   - views: Its rights, by the names of lists.
    ///   - scope: The scope of another caller that has the same views; nil gives it a new one.
    ///   - generation: The generation of the lists.
    init(
        name: String?,
        mayOperate: Bool,
        views: [String: ListView],
        scope: UInt64? = nil,
        generation: Int
    ) {
        self.scope = scope ?? Self.lastScope.add(1, ordering: .relaxed).newValue
        self.generation = generation
        self.name = name
        self.mayOperate = mayOperate
        self.views = views
    }

    /// What may be done with a list.
    func view(of list: String) -> ListView { views[list] ?? ListView(mayRead: false) }

    /// The names of the lists it may read.
    var readableLists: Set<String> { Set(views.filter(\.value.mayRead).keys) }

    /// The names of the lists it may write.
    var writableLists: Set<String> { Set(views.filter(\.value.mayWrite).keys) }

    /// Whether there is anything to read.
    var mayReadSomething: Bool { views.values.contains(where: \.mayRead) }
}

/// What somebody may do with a list, and which of its rows there are for them.
struct ListView: Hashable, Sendable {
    /// Whether it is shown.
    var mayRead = true
    /// Whether its rows may be written, where anybody's may.
    var mayWrite = true
    /// What the rows meet that there are; every other row is as if it were not.
    var conditions: [Filter] = []
}

/// Who may do what: the file of tokens, understood for the lists there are.
struct AccessTable: Sendable {
    /// What is given to those who do not say who they are.
    struct Openness: Hashable, Sendable {
        /// Whether they may read.
        var reading = true
        /// Whether they may write.
        var writing = false
    }

    /// The longest token that is looked at, in bytes.
    private static let maximumTokenBytes = 256

    /// The generation of the lists that it was understood for.
    let generation: Int
    /// Those who do not say who they are.
    let anonymous: Caller
    private let digests: [TokenDigest?]
    private let callers: [Caller]

    /// Makes a table.
    ///
    /// - Parameters:
    ///   - entries: The lines of the file.
    ///   - lists: The lists there are.
    ///   - openness: What is given to those who do not say who they are.
    ///   - generation: The generation of the lists.
    /// - Throws: ``Failure`` for a scope that no list has, and for conditions that are not understood.
    init(
        _ entries: [AccessEntry],
        _ lists: [ListDefinition],
        _ openness: Openness,
        generation: Int = 0
    ) throws(Failure) {
        var failure: Failure?
        self.init(understanding: entries, lists, openness, generation: generation) {
            failure = failure ?? $0
        }
        if let failure { throw failure }
    }

    /// Makes a table as far as the lines are understood: of a list whose scope is not, nothing is shown,
    /// and the reason is told.
    init(
        understanding entries: [AccessEntry],
        _ lists: [ListDefinition],
        _ openness: Openness,
        generation: Int,
        onFailure: (Failure) -> Void
    ) {
        self.generation = generation
        let open = ListView(mayRead: openness.reading, mayWrite: openness.writing)
        anonymous = Caller(
            name: nil,
            mayOperate: false,
            views: Dictionary(uniqueKeysWithValues: lists.map { ($0.name, open) }),
            generation: generation
        )
        digests = entries.map(\.digest)
        var scopes: [[String: ListView]: UInt64] = [:]
        callers = entries.map { entry in
            do throws(Failure) { try Self.checkNames(of: entry, lists) } catch { onFailure(error) }
            var views: [String: ListView] = [:]
            for list in lists {
                do throws(Failure) {
                    views[list.name] = try Self.view(of: list, entry, open)
                } catch {
                    onFailure(error)
                    views[list.name] = ListView(mayRead: false, mayWrite: false)
                }
            }
            let caller = Caller(
                name: entry.name,
                mayOperate: entry.mayOperate,
                views: views,
                scope: scopes[views],
                generation: generation
            )
            scopes[views] = caller.scope
            return caller
        }
    }

    /// Who has a token; nil for a token that nobody has.
    ///
    /// All digests are compared, each in the same time, so that the time tells nothing.
    func caller(with token: String) -> Caller? {
        guard token.utf8.count <= Self.maximumTokenBytes else { return nil }
        let digest = TokenDigest(of: token)
        var found: Caller?
        for index in digests.indices where digests[index]?.matches(digest) ?? false {
            found = callers[index]
        }
        return found
    }

    /// Who has a name, for a proxy that says who asks.
    func caller(named name: String) -> Caller? { callers.first { $0.name == name } }

    private static func checkNames(
        of entry: AccessEntry,
        _ lists: [ListDefinition]
    ) throws(Failure) {
        let names = lists.map(\.name)
        for case let list? in entry.grants.map(\.list) where !names.contains(list) {
            let hint = Suggestion.hint(for: list, among: names)
            throw Failure(.configuration, "\(entry.place): no list '\(list)'\(hint)")
        }
    }

    private static func view(
        of list: ListDefinition,
        _ entry: AccessEntry,
        _ open: ListView
    ) throws(Failure) -> ListView {
        let grants = entry.grants.filter { $0.list == nil || $0.list == list.name }
        guard !grants.isEmpty else { return open }
        var view = ListView(mayWrite: open.mayWrite || grants.contains { $0.right == .write })
        let reading = Set(grants.filter { $0.right == .read }.map(\.conditions))
        guard !reading.contains(nil), let conditions = reading.first ?? nil else { return view }
        guard reading.count == 1 else {
            throw Failure(
                .configuration,
                "\(entry.place): two scopes of '\(list.name)' have conditions; write one, with & "
                    + "between them"
            )
        }
        view.conditions = try filters(conditions, of: list, at: entry.place)
        return view
    }

    private static func filters(
        _ text: String,
        of list: ListDefinition,
        at place: String
    ) throws(Failure) -> [Filter] {
        let reader = try? list.source.makeReader()
        guard list.segments == nil, reader?.hasOutline != true else {
            throw Failure(
                .configuration,
                "\(place): '\(list.name)' has segments or rows below rows, so its rows cannot be "
                    + "given by conditions"
            )
        }
        guard let items = try? QueryItems(rawQuery: text) else {
            throw Failure(.configuration, "\(place): '\(text)' is not written as in an address")
        }
        var parameters = ListParameters(
            Array(items),
            list: list.name,
            schema: list.source.schema,
            accepted: .filters
        )
        let filters = parameters.readFilters()
        guard let error = parameters.errors.first else {
            guard parameters.values.isEmpty else {
                throw Failure(.configuration, "\(place): words to search for are no condition")
            }
            return filters.map(\.fixed)
        }
        let fault = error.fault(known: ListParameters.Accepted.filters.known) { _ in "" }
        let hint = fault.suggestion.map { " Did you mean \($0)?" } ?? ""
        throw Failure(
            .configuration,
            "\(place): \(list.name): \(error.parameter): \(fault.detail)\(hint)"
        )
    }
}
