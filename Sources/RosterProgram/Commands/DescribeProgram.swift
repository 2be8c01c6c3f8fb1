import Bytes
import Database
import ListAPI
import Listings
import Rendering
import System

enum DescribeProgram {
    private static let sampleRows = 200

    static func run(_ configuration: Configuration) throws(Failure) {
        guard !configuration.sources.isEmpty || configuration.database != nil else {
            throw .missingArgument("SOURCE")
        }
        guard configuration.describing == nil else {
            throw Failure(
                .usage,
                "roster describe writes a first description; leave --describe out"
            )
        }
        let contents = try ListRegistry(configuration).contents
        for notice in contents.notices { Diagnostics.write(notice) }
        let keys = try configuration.relations.options(for: contents.lists)
        StandardOutput.write(try text(of: contents.lists, keys))
    }

    /// Returns the description of lists, which `--describe` reads.
    private static func text(
        of lists: [ListDefinition],
        _ options: RelationOptions
    ) throws(Failure) -> String {
        var samples: [[ColumnFormat?]] = []
        for list in lists { samples.append(try formats(of: list)) }
        let relations = ListRelations(lists, options)
        var buffer = ByteBuffer()
        JSONWriter.write(to: &buffer) { writer in
            writer.object { writer in
                writer.object("lists") { writer in
                    for (list, formats) in zip(lists, samples) {
                        writer.key(JSONKey(list.name))
                        writer.describe(list, formats, relations)
                    }
                }
            }
        }
        var lines = JSONIndentation.lines(of: buffer)
        lines.append(UInt8(ascii: "\n"))
        return lines.text()
    }

    private static func formats(of list: ListDefinition) throws(Failure) -> [ColumnFormat?] {
        do {
            let schema = list.source.schema
            var page = Page(list: list.name, schema: schema)
            var query = ListQuery(shape: .flow(limit: sampleRows))
            query.counting = .off
            try list.source.makeReader().read(query, into: &page)
            return schema.columns.indices.map { column in
                let values = (0..<page.rowCount).map { page.value(row: $0, column: column) }
                return FormatGuess.format(of: schema.columns[column], values)
            }
        } catch {
            throw Failure(.unavailable, "\(list.name): cannot be read: \(error)")
        }
    }
}

extension JSONWriter {
    private static let maximumShown = 12

    private static func shown(of columns: [Column], _ formats: [ColumnFormat?]) -> [Column] {
        guard columns.count > maximumShown else { return columns }
        let short = zip(columns, formats).filter { column, format in
            column.type != .json && column.type != .bytes && format != .json && format != .longText
        }
        return Array(short.map(\.0).prefix(maximumShown))
    }

    fileprivate mutating func describe(
        _ list: ListDefinition,
        _ formats: [ColumnFormat?],
        _ relations: ListRelations
    ) {
        let schema = list.source.schema
        object { writer in
            writer.member("title", list.title)
            let labels = relations.labels(of: list.name)
            if !labels.isEmpty { writer.member("label", labels.joined(separator: "+")) }
            let shown = Self.shown(of: schema.columns, formats)
            if shown.count < schema.columns.count {
                writer.array("show") { writer in
                    for column in shown { writer.string(column.id) }
                }
            }
            writer.object("columns") { writer in
                for (column, format) in zip(schema.columns, formats) {
                    writer.key(JSONKey(column.id))
                    writer.object { writer in
                        writer.member("label", column.label)
                        if let format { writer.member("format", format.text) }
                        let relation = relations.keys(of: list.name)
                            .first { $0.column == column.id }
                        guard let relation else { return }
                        let key = relation.key.map { ".\($0)" } ?? ""
                        writer.member("relation", relation.target + key)
                    }
                }
            }
        }
    }
}
