import HTTP
import Listings
import Rendering

extension ListService {
    /// Adds a list of models and registers their controller.
    ///
    /// - Parameters:
    ///   - name: The name in addresses: `books` is served at `/books`.
    ///   - title: The title people read; nil makes it from the name.
    ///   - models: The models; their ids differ.
    ///   - controller: Shows the models.
    ///   - group: The column that cuts the list into sections when nothing else is asked for, as
    ///     the parameter `group` takes it: `genre`, or `title:initial`; nil makes one section.
    ///   - sort: The order inside a section when nothing else is asked for, as the parameter `sort`
    ///     takes it: `-year,title`; nil sorts by id.
    ///   - events: What the list does with its rows besides showing them.
    /// - Throws: ``ListingError`` for a type that has a controller already, for columns or ids
    ///   that clash; ``ListServiceError`` for the name, the group and the sort.
    public mutating func list<Controller: RowController>(
        _ name: String,
        title: String? = nil,
        models: [Controller.Model],
        using controller: Controller,
        group: String? = nil,
        sort: String? = nil,
        on events: RowEvents<Controller.Model> = RowEvents()
    ) throws {
        try controllers.register(controller, on: events)
        try list(name, title: title, models: models, group: group, sort: sort)
    }

    /// Adds a list of models whose controller is registered in ``controllers``.
    ///
    /// - Parameters: As those of ``list(_:title:models:using:group:sort:on:)``.
    /// - Throws: ``ListingError/unregisteredModel(_:)`` with the name of the type when it has no
    ///   controller, and what the method above throws.
    public mutating func list<Model>(
        _ name: String,
        title: String? = nil,
        models: [Model],
        group: String? = nil,
        sort: String? = nil
    ) throws where Model: Identifiable & Sendable, Model.ID: LosslessStringConvertible & Sendable {
        let registration = try controllers.registration(for: Model.self)
        let source = try MemorySource(
            name,
            models: models,
            using: registration,
            schema: Self.schema(
                of: name,
                columns: registration.columns,
                idType: Model.ID.self is any BinaryInteger.Type ? .integer : .text,
                group: group,
                sort: sort
            ),
            version: ListVersion(epoch: .random(in: 1...UInt64(UInt32.max)), counter: 1)
        )
        try add(ListDefinition(name, title: title, source: source))
    }

    /// The schema of a list whose order is written as in addresses.
    private static func schema(
        of list: String,
        columns: [Column],
        idType: ColumnType,
        group: String?,
        sort: String?
    ) throws -> ListSchema {
        let plain = try ListSchema(columns: columns, idType: idType)
        let items = [("group", group), ("sort", sort)].compactMap { name, value in
            value.map { QueryItems.Item(name: name, value: $0) }
        }
        var parameters = ListParameters(
            items,
            list: list,
            schema: plain,
            accepted: [.rows, .grouping]
        )
        guard let query = parameters.query() else {
            let fault = parameters.errors[0].fault(known: ["group", "sort"]) { _ in "" }
            throw ListServiceError.invalidOrder(
                list: list,
                parameter: parameters.errors[0].parameter,
                detail: fault.detail
            )
        }
        return try ListSchema(
            columns: columns,
            idType: idType,
            defaultGrouping: query.grouping,
            defaultSort: query.sort
        )
    }
}
