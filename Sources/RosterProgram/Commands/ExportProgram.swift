import Bytes
import Database
import HTTP
import ListAPI
import Listings
import Rendering
import SQLite
import System

/// Writes a list of a database to standard output while reading it.
enum ExportProgram {
    static func run(_ command: ExportCommand) throws(Failure) {
        let readers = DatabaseReaders(.file(command.database))
        let stored: [ListMetadata]
        do {
            let connection = try DatabaseConnection(readers.location, access: .readOnly)
            stored = try ListCatalog.lists(in: connection)
        } catch {
            throw Failure(error, path: command.database, access: .readOnly)
        }
        guard let list = stored.first(where: { $0.name == command.list }) else {
            let hint = Suggestion.hint(for: command.list, among: stored.map(\.name))
            throw Failure(.noInput, "\(command.database) has no list '\(command.list)'\(hint)")
        }
        do {
            let lists = try stored.map { (list) throws(Failure) in
                try ListPresentation(list, groupings: []).definition(through: readers)
            }
            let store = try ServiceStore(lists, isDraining: { false })
            let open = OpenLists(of: store)
            guard let endpoint = try open.open(list.name) else {
                preconditionFailure("no definition of \(list.name)")
            }
            let relations = ListRelations(lists, RelationOptions())
            // Labels and conditions open further lists while rows are written.
            try withExtendedLifetime(open) {
                let (query, rendering) = try query(command, endpoint, relations)
                try write(query, of: endpoint, command.format, rendering)
            }
        } catch let error as Failure {
            throw error
        } catch let error as SystemError {
            throw Failure(.inputOutput, "standard output: \(error.reason)")
        } catch {
            throw Failure(.inputOutput, "\(command.list): cannot be read: \(error)")
        }
    }

    /// Returns the query for the rows, and the choices of the export besides.
    ///
    /// By default rows are in one section and ordered by their IDs, so that importing the export
    /// gives the same list. A grouping gives them the sections and the order of the list at `/LIST`.
    private static func query(
        _ command: ExportCommand,
        _ endpoint: ServedList,
        _ relations: ListRelations
    ) throws -> (ScopedQuery, RowRendering) {
        var accepted = ParameterSet.accepted(at: .export)
        if command.format != .csv { accepted.remove(.byteOrderMark) }
        let items: [QueryItems.Item]
        do {
            items = Array(try QueryItems(rawQuery: command.query))
        } catch {
            throw Failure(.usage, "'?\(command.query ?? "")' is not written as in an address")
        }
        var parameters = ListParameters(
            items,
            list: command.list,
            schema: endpoint.schema,
            accepted: accepted,
            relatedTo: relations.lists(relatedTo: command.list),
            paths: .derived
        )
        parameters.readRequest()
        parameters.checkDerivedColumns(of: endpoint)
        guard parameters.errors.isEmpty else {
            let lines = parameters.errors.map { error in
                let hint = error.suggestion.map { " Did you mean \($0)?" } ?? ""
                return "\(error.location?.name ?? ""): \(error.detail)\(hint)"
            }
            throw Failure(.usage, lines.joined(separator: "\n"))
        }
        var query = ScopedQuery(parameters.request.query, in: .everyRow)
        if parameters.values[.group] == nil {
            if parameters.values[.sort] == nil { query.sort = [] }
            query.grouping = nil
            query.mergesSections = true
        }
        var rendering = RowRendering()
        rendering.hasByteOrderMark = parameters.request.hasByteOrderMark
        rendering.splitsSections = try command.format == .xlsx && endpoint.fitsSheets(query)
        rendering.deflate = ZipWriter.deflated
        return (query, rendering)
    }

    private static func write(
        _ query: ScopedQuery,
        of endpoint: ServedList,
        _ format: PageFormat,
        _ rendering: RowRendering
    ) throws {
        // The lines become the elements of one array.
        let lines = format == .json ? .ndjson : format
        guard let renderer = lines.rowRenderer(rendering) else { return }
        let stream = ExportStream(query, of: endpoint, with: renderer, nil)
        try stream.prepare()
        var buffer = ByteBuffer()
        var isFirst = true
        var state = HTTPStreamState.more
        while state == .more {
            buffer.removeAll()
            state = try stream.write(into: &buffer)
            var piece = buffer.array()
            if format == .json { piece = elements(piece, isFirst: isFirst) }
            isFirst = isFirst && piece.isEmpty
            try StandardOutput.write(piece)
        }
        if format == .json { try StandardOutput.write(Array((isFirst ? "[]\n" : "\n]\n").utf8)) }
    }

    /// Returns lines of JSON as elements of an array; no JSON value contains a line break.
    private static func elements(_ lines: [UInt8], isFirst: Bool) -> [UInt8] {
        var elements: [UInt8] = []
        elements.reserveCapacity(lines.count + lines.count / 64)
        var isFirst = isFirst
        for line in lines.split(separator: UInt8(ascii: "\n")) {
            elements += Array((isFirst ? "[\n" : ",\n").utf8)
            elements += line
            isFirst = false
        }
        return elements
    }
}
