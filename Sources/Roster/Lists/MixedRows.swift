import Listings
import Locks
import MemoryLists

/// The rows of one type among models of several.
protocol RowKind: SectionContent {
    /// Opens the rows; `replace` changes the model of an id in the section, or removes it.
    func open(
        _ columns: [Listings.Column],
        prefix: String,
        in list: AppList,
        replace: @escaping @Sendable (String, (any Sendable)?) throws -> Bool
    ) throws -> any OpenedKind
}

protocol OpenedKind: OpenedSection {
    func holds(_ model: any Sendable) -> Bool
    func id(of model: any Sendable) throws -> String
    /// True if the rows look different.
    func take(_ models: [any Sendable]) throws -> Bool
    func run(_ range: Range<Int>) throws -> Run
}

struct MixedRows: SectionContent {
    let source: RowDeclaration<any Sendable>.Source
    private let parts: [any RowKind]
    let header: String?
    let sectionName: String?
    let footer: String?
    let isCollapsed: Bool
    let emptyText: String?
    private let modifiers: [String]

    init(
        _ source: RowDeclaration<any Sendable>.Source,
        _ set: RowSet,
        _ section: Section<any Sendable>?
    ) {
        (self.source, parts) = (source, set.kinds)
        (header, sectionName) = (section?.header, section?.name)
        (footer, isCollapsed) = (section?.footer, section?.isCollapsed ?? false)
        emptyText = section?.emptyText
        modifiers = section?.rows.modifiers ?? []
    }

    var model: Any.Type { (any Sendable).self }
    var paths: [(path: AnyKeyPath, name: String)] { parts.flatMap(\.paths) }
    var isLoaded: Bool { if case .loaded = source { true } else { false } }
    var waitsForRows: Bool { parts.contains(where: \.waitsForRows) }
    var isMovable: Bool { false }
    var kinds: [(kind: String, model: Any.Type)] { parts.flatMap(\.kinds) }
    var takesNewRows: Bool { false }
    var deadline: Duration { parts.map(\.deadline).max() ?? .seconds(10) }

    var error: String? {
        if let modifier = modifiers.first { return ".\(modifier) belongs to a Row of the section" }
        if parts.isEmpty { return "it has no Row" }
        if let error = parts.lazy.compactMap(\.error).first { return error }
        if parts.contains(where: \.isMovable) { return "rows of several types cannot be moved" }
        if parts.contains(where: \.takesNewRows) {
            return "onCreate belongs to a list or section of one type"
        }
        let types = parts.map { ObjectIdentifier($0.model) }
        for (position, type) in types.enumerated() where types[..<position].contains(type) {
            return "two Rows have the type \(parts[position].model)"
        }
        return nil
    }

    func columns(groupable: Set<String>) -> [[Listings.Column]] {
        parts.flatMap { $0.columns(groupable: groupable) }
    }

    func open(
        _ columns: [[Listings.Column]],
        prefix: String?,
        in list: AppList
    ) throws -> any OpenedSection { try ServedMixedSection(source, parts, columns, in: list) }
}

final class ServedMixedSection: OpenedSection {
    private struct Group: Hashable, Sendable {
        let kind: Int
        var range: Range<Int>
    }

    private let source: RowDeclaration<any Sendable>.Source
    private unowned let list: AppList
    private let opened = Locked<[any OpenedKind]>([])
    private let groups = Locked<[Group]>([])

    init(
        _ source: RowDeclaration<any Sendable>.Source,
        _ parts: [any RowKind],
        _ columns: [[Listings.Column]],
        in list: AppList
    ) throws {
        (self.source, self.list) = (source, list)
        let kinds = try zip(parts, columns).map { kind, columns in
            try kind.open(columns, prefix: RowID.prefix(of: kind.model), in: list) {
                [weak self] id, model in try self?.replace(id, by: model) ?? false
            }
        }
        opened.replace(with: kinds)
        if case .models(let models) = source { _ = try take(models.all) }
    }

    private var kinds: [any OpenedKind] { opened.withLock { $0 } }

    var summary: [RegistrationSummary] { kinds.flatMap(\.summary) }
    var operations: Set<RowRules.Operation> { Set(kinds.flatMap(\.operations)) }
    var writableColumns: [String] { kinds.flatMap(\.writableColumns) }

    private func take(_ models: [any Sendable]) throws -> Bool {
        let kinds = kinds
        var parts: [[any Sendable]] = kinds.map { _ in [] }
        var found: [Group] = []
        for (position, model) in models.enumerated() {
            guard let kind = kinds.firstIndex(where: { $0.holds(model) }) else {
                throw DeclarationError(
                    "the model at \(position) is a \(type(of: model)), which has no Row"
                )
            }
            parts[kind].append(model)
            let count = parts[kind].count
            if found.last?.kind == kind {
                found[found.count - 1].range = found[found.count - 1].range.lowerBound..<count
            } else {
                found.append(Group(kind: kind, range: count - 1..<count))
            }
        }
        var isDifferent = groups.withLock { groups in
            defer { groups = found }
            return groups != found
        }
        for (kind, part) in zip(kinds, parts) { isDifferent = try kind.take(part) || isDifferent }
        return isDifferent
    }

    func load() async throws -> @Sendable () throws -> Bool {
        guard case .loaded(let load) = source else { return { false } }
        let models = try await load()
        return { try self.take(models) }
    }

    func follow() {
        guard case .models(let models) = source else { return }
        models.observe { [weak self] models in
            guard let self else { return }
            list.show { [{ try self.take(models) }] }
        }
    }

    func runs() throws -> [Run] {
        let kinds = kinds
        return try groups.withLock { $0 }.map { try kinds[$0.kind].run($0.range) }
    }

    func contains(_ id: String) -> Bool { kinds.contains { $0.contains(id) } }

    func position(
        of model: any Sendable,
        at target: IndexPath,
        from other: any OpenedSection
    ) -> IndexPath? { nil }

    func move(
        _ id: String,
        _ move: () throws(ActionError) -> (section: any OpenedSection, ids: [String])
    ) throws(ActionError) { throw .unchangeable }

    func insert(
        _ model: any Sendable,
        as id: String,
        _ ids: [String]
    ) throws(ActionError) { throw .unchangeable }

    func write(_ change: RowChange) throws -> ChangedRow? {
        guard let id = change.id else { return nil }
        return try kinds.first { $0.contains(id) }?.write(change)
    }

    /// False if the row of the model is gone.
    private func replace(_ id: String, by model: (any Sendable)?) throws -> Bool {
        guard case .models(let models) = source else { return true }
        let kinds = kinds
        return try models.update { models in
            let position = try models.firstIndex { model in
                try kinds.first { $0.holds(model) }?.id(of: model) == id
            }
            guard let position else { return false }
            models.replaceSubrange(position...position, with: model.map { [$0] } ?? [])
            return true
        }
    }
}
