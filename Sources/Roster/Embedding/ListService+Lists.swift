import HTTP
public import Listings
import Rendering

extension ListService {
    /// Adds a list of models and registers their controller.
    ///
    /// The models can change while they are served: keep the data source.
    ///
    /// - Parameters:
    ///   - name: The name in addresses: `books` is served at `/books`.
    ///   - title: The title people read; nil makes it from the name.
    ///   - models: The models; their ids differ.
    ///   - controller: Shows the models.
    ///   - group: The column that cuts the list into sections when nothing else is asked for, as
    ///     the parameter `group` takes it: `genre`, or `title:initial`; nil makes one section.
    ///   - sort: The order inside a section when nothing else is asked for, as the parameter `sort`
    ///     takes it: `-year,title`; nil keeps the order of the
    ///     models, or inside sections sorts by id.
    ///   - events: What the list does with its rows besides showing them.
    ///   - sections: What the list does with headers and footers.
    /// - Returns: What holds the models: an update of it is what the next request sees.
    /// - Throws: ``ListingError`` for a type that has a controller already or columns that clash,
    ///   ``DataSourceError`` for ids that clash, ``ListServiceError`` for the name, the group and
    ///   the sort.
    @inlinable
    @discardableResult
    public mutating func list<Controller: RowController>(
        _ name: String,
        title: String? = nil,
        models: [Controller.Model],
        using controller: Controller,
        group: String? = nil,
        sort: String? = nil,
        on events: RowEvents<Controller.Model> = RowEvents(),
        sections: SectionEvents = SectionEvents()
    ) throws -> DataSource {
        try controllers.register(controller, on: events)
        return try list(
            name,
            title: title,
            models: models,
            group: group,
            sort: sort,
            sections: sections
        )
    }

    /// Adds a list of models whose controller is registered in ``controllers``.
    ///
    /// - Parameters: As those of ``list(_:title:models:using:group:sort:on:sections:)``.
    /// - Returns: What holds the models.
    /// - Throws: ``ListingError/unregisteredModel(_:)`` with the name of the type when it has no
    ///   controller, and what the method above throws.
    @discardableResult
    public mutating func list<Model>(
        _ name: String,
        title: String? = nil,
        models: [Model],
        group: String? = nil,
        sort: String? = nil,
        sections: SectionEvents = SectionEvents()
    ) throws -> DataSource
    where Model: Identifiable & Sendable, Model.ID: LosslessStringConvertible & Sendable {
        let registration = try controllers.registration(for: Model.self)
        let dataSource = try DataSource(models: models, using: registration)
        let schema = try Self.schema(
            of: name,
            columns: registration.columns,
            idType: Model.ID.self is any BinaryInteger.Type ? .integer : .text,
            group: group,
            sort: sort
        )
        .on(sections: sections)
        let source = DataSourceList(dataSource, schema: schema)
        try add(ListDefinition(name, title: title, source: source))
        return dataSource
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
