import HTTP
import ListAPI
public import Listings
import MemoryLists
import Rendering

extension ListService {
    /// Adds a list of models and registers their controller.
    ///
    /// To change the models while they are served, store the returned data source.
    ///
    /// - Parameters:
    ///   - name: The name in URLs: `books` is served at `/books`.
    ///   - title: The displayed title; nil derives it from the name.
    ///   - models: The models, with distinct IDs.
    ///   - controller: The row controller of the models.
    ///   - group: The column that groups the list into sections by default, in the syntax of the
    ///     parameter `group`: `genre`, or `title:initial`. Nil makes one section.
    ///   - sort: The default order inside a section, in the syntax of the parameter `sort`:
    ///     `-year,title`. Nil keeps the order of the models, or sorts by ID inside sections.
    ///   - events: The handlers of row events.
    ///   - sections: The handlers of section headers and footers.
    /// - Returns: The data source of the models; the next request sees its updates.
    /// - Throws: ``ListingError`` for a type that already has a controller or for duplicate
    ///   columns. ``DataSourceError`` for duplicate IDs. ``ListServiceError`` for an invalid name,
    ///   group or sort.
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
    /// - Returns: The data source of the models.
    /// - Throws: ``ListingError/unregisteredModel(_:)`` with the name of a type without a
    ///   controller, and the errors of the method above.
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

    /// Returns the schema of a list whose order is given in query syntax.
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
            let error = parameters.errorTexts[0]
            throw ListServiceError.invalidOrder(
                list: list,
                parameter: error.parameter,
                detail: error.detail
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
