import HTTP
import Listings
import Rendering
import Synchronization

final class Caller: Sendable {
    let name: String?
    let mayOperate: Bool
    /// Whether the caller may write and read every list, also those to come.
    let mayCreate: Bool
    /// The generation of the lists that the views are of; conditions refer to columns by index.
    let generation: Int
    /// A number that all callers with the same views share.
    ///
    /// A table that is read again uses new numbers, so a number never stands for other permissions.
    /// Services without access rules use 0.
    let scope: UInt64
    private let views: [String: ListView]
    private static let lastScope = Atomic<UInt64>(0)

    /// A nil scope creates a new one; else it is that of another caller with the same views.
    init(
        name: String?,
        mayOperate: Bool,
        mayWriteOthers: Bool = false,
        views: [String: ListView],
        scope: UInt64? = nil,
        generation: Int
    ) {
        let isLimited = views.values.contains {
            !$0.mayRead || !$0.mayWrite || !$0.scope.isEveryRow
        }
        mayCreate = mayWriteOthers && !isLimited
        self.scope = scope ?? Self.lastScope.add(1, ordering: .relaxed).newValue
        self.generation = generation
        self.name = name
        self.mayOperate = mayOperate
        self.views = views
    }

    func view(of list: String) -> ListView { views[list] ?? ListView(mayRead: false) }

    var readableLists: Set<String> { Set(views.filter(\.value.mayRead).keys) }

    var writableLists: Set<String> { Set(views.filter(\.value.mayWrite).keys) }

    var mayReadSomething: Bool { views.values.contains(where: \.mayRead) }
}

extension Caller? {
    /// Without access control, a client may read and write every row.
    func view(of list: String) -> ListView { self?.view(of: list) ?? ListView() }
}

struct ListView: Hashable, Sendable {
    var mayRead = true
    var mayWrite = true
    /// The visible rows; other rows appear not to exist.
    var scope = RowScope.everyRow
}

package struct AccessPolicy: Sendable {
    package struct Openness: Hashable, Sendable {
        package var reading: Bool
        package var writing: Bool

        package init(reading: Bool = true, writing: Bool = false) {
            self.reading = reading
            self.writing = writing
        }
    }

    private static let maximumTokenBytes = 256

    let generation: Int
    let anonymous: Caller
    private let digests: [TokenDigest?]
    private let callers: [Caller]

    init(
        _ entries: [AccessCredential],
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

    /// A list with an invalid scope is hidden from its caller; `onFailure` gets each error.
    init(
        understanding entries: [AccessCredential],
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
            mayWriteOthers: openness.reading && openness.writing,
            views: Dictionary(uniqueKeysWithValues: lists.map { ($0.name, open) }),
            generation: generation
        )
        digests = entries.map(\.digest)
        var scopes: [[String: ListView]: UInt64] = [:]
        callers = entries.map { entry in
            do throws(Failure) { try Self.checkNames(of: entry, lists) } catch { onFailure(error) }
            var views: [String: ListView] = [:]
            for list in lists where !list.isHistory {
                do throws(Failure) {
                    views[list.name] = try Self.view(of: list, entry, open)
                } catch {
                    onFailure(error)
                    views[list.name] = ListView(mayRead: false, mayWrite: false)
                }
            }
            if let history = lists.first(where: \.isHistory) {
                views[history.name] = Self.view(ofHistory: history, views)
            }
            let caller = Caller(
                name: entry.name,
                mayOperate: entry.mayOperate,
                mayWriteOthers: entry.mayWriteOthers(open),
                views: views,
                scope: scopes[views],
                generation: generation
            )
            scopes[views] = caller.scope
            return caller
        }
    }

    /// All digests are compared in constant time, so that the duration reveals nothing about them.
    func caller(with token: String) -> Caller? {
        guard token.utf8.count <= Self.maximumTokenBytes else { return nil }
        let digest = TokenDigest(of: token)
        var found: Caller?
        for index in digests.indices where digests[index]?.matches(digest) ?? false {
            found = callers[index]
        }
        return found
    }

    func caller(named name: String) -> Caller? { callers.first { $0.name == name } }

    /// A line with a digest is for the holder of the token alone, so that a proxy cannot name it.
    func user(named name: String) -> Caller? {
        callers.indices.first { callers[$0].name == name && digests[$0] == nil }
            .map { callers[$0] }
    }

    private static func checkNames(
        of entry: AccessCredential,
        _ lists: [ListDefinition]
    ) throws(Failure) {
        let names = lists.filter { !$0.isHistory }.map(\.name)
        for case let list? in entry.grants.map(\.list) where !names.contains(list) {
            let hint = Suggestion.hint(for: list, among: names)
            throw Failure(.configuration, "\(entry.location): no list '\(list)'\(hint)")
        }
    }

    private static func view(
        of list: ListDefinition,
        _ entry: AccessCredential,
        _ open: ListView
    ) throws(Failure) -> ListView {
        let grants = entry.grants(for: list.name)
        guard !grants.isEmpty else { return open }
        var view = ListView(mayWrite: open.mayWrite || grants.contains { $0.right == .write })
        guard let conditions = grants.lazy.compactMap(\.conditions).first else { return view }
        let filters = try filters(conditions, of: list, at: entry.location)
        view.scope = RowScope(meeting: filters.map(\.fixed))
        return view
    }

    /// A caller sees the changes of the lists of which every row is visible.
    private static func view(
        ofHistory list: ListDefinition,
        _ views: [String: ListView]
    ) -> ListView {
        let others = views.filter { $0.key != list.name }
        let whole = others.filter { $0.value.mayRead && $0.value.scope.isEveryRow }
        guard !whole.isEmpty else { return ListView(mayRead: false, mayWrite: false) }
        var view = ListView(
            mayRead: true,
            mayWrite: others.values.contains(where: \.mayWrite)
        )
        if whole.count < others.count, let column = list.source.schema.index(of: "list") {
            let names = whole.keys.sorted().map(CellValue.text)
            view.scope = RowScope(meeting: [Filter(column: column, .among, names).fixed])
        }
        return view
    }

    /// Returns conditions as parameters; in the name of a value no character has a meaning.
    private static func items(
        of conditions: AccessCredential.Conditions,
        _ list: ListDefinition,
        at location: String
    ) throws(Failure) -> [QueryItems.Item] {
        switch conditions {
        case .query(let text):
            guard let items = try? QueryItems(rawQuery: text) else {
                throw Failure(
                    .configuration,
                    "\(location): '\(text)' is not written as in an address"
                )
            }
            return Array(items)
        case .values(let values):
            let columns = list.source.schema.columns
            return try values.map { (name, value) throws(Failure) in
                let column = columns.first { $0.id == name }
                guard let column, column.isMixed || column.type.kind == value.kind, !value.isNull
                else {
                    let known = columns.map(\.id).filter { $0 != name }
                    throw Failure(
                        .configuration,
                        "\(location): \(list.name): a column '\(name)' cannot be compared with a "
                            + "\(value.kind)" + Suggestion.hint(for: name, among: known)
                    )
                }
                return QueryItems.Item(name: name + "__is", value: column.name(of: value))
            }
        }
    }

    private static func filters(
        _ conditions: AccessCredential.Conditions,
        of list: ListDefinition,
        at location: String
    ) throws(Failure) -> [Filter] {
        let reader = try? list.source.makeReader()
        guard list.segments == nil, reader?.abilities.contains(.children) != true else {
            throw Failure(
                .configuration,
                "\(location): '\(list.name)' has segments or rows below rows, so its rows cannot be "
                    + "given by conditions"
            )
        }
        var parameters = ListParameters(
            try items(of: conditions, list, at: location),
            list: list.name,
            schema: list.source.schema,
            accepted: .accepted(at: .scope)
        )
        let filters = parameters.readFilters()
        guard let error = parameters.errors.first else {
            guard parameters.values[.search] == nil else {
                throw Failure(.configuration, "\(location): words to search for are no condition")
            }
            return filters
        }
        let hint = error.suggestion.map { " Did you mean \($0)?" } ?? ""
        throw Failure(
            .configuration,
            "\(location): \(list.name): \(error.location?.name ?? ""): \(error.detail)\(hint)"
        )
    }
}
