import TableFiles

struct PlacedID {
    let id: String
    let location: FileLocation

    var utf8: [UInt8] { Array(id.utf8) }
}

/// Finds the ids that occur again in a file.
///
/// Locations are not stored while reading, so the file is read once more if there is an error to
/// report.
struct RepeatedIDs {
    let reading: FileReading
    var columnReadings: [Int: ColumnReading] = [:]

    /// The duplicate ids of a file that has other errors, so that all errors are reported at once.
    func find(
        in file: inout SourceFile,
        _ format: FileFormat,
        atMost maximum: Int
    ) throws(ImportError) -> [FileError] {
        guard maximum > 0 else { return [] }
        func id(_ record: borrowing FileRecord, _ names: ColumnNames) -> PlacedID? {
            guard let column = ImportPlan.idColumn(of: names), let id = record.text(column),
                !id.isEmpty
            else { return nil }
            return PlacedID(id: id, location: record.location(of: column))
        }
        var seen: Set<Int> = []
        var repeated: [PlacedID] = []
        try readGood(&file, format) { record, names in
            guard let id = id(record, names), !seen.insert(id.utf8.hashValue).inserted else {
                return .nextRecord
            }
            repeated.append(id)
            return repeated.count < maximum ? .nextRecord : .end
        }
        let first = try firstLocations(of: repeated, in: &file, format, id)
        return repeated.compactMap { id in
            // Different ids with the same hash are not duplicates.
            guard let earlier = first[id.utf8], earlier != id.location else { return nil }
            return FileError(.duplicateID(id.id, first: earlier), at: id.location)
        }
    }

    func firstLocations(
        of ids: [PlacedID],
        in file: inout SourceFile,
        _ format: FileFormat,
        _ id: (borrowing FileRecord, ColumnNames) -> PlacedID?
    ) throws(ImportError) -> [[UInt8]: FileLocation] {
        guard !ids.isEmpty else { return [:] }
        let sought = Set(ids.map(\.utf8))
        var locations: [[UInt8]: FileLocation] = [:]
        try readGood(&file, format) { record, names in
            if let id = id(record, names), sought.contains(id.utf8), locations[id.utf8] == nil {
                locations[id.utf8] = id.location
            }
            return locations.count < sought.count ? .nextRecord : .end
        }
        return locations
    }

    private func readGood(
        _ file: inout SourceFile,
        _ format: FileFormat,
        _ body: (borrowing FileRecord, ColumnNames) -> FileReading.Continuation
    ) throws(ImportError) {
        do throws(ImportError) {
            _ = try reading.read(&file, format, .checking, as: columnReadings) {
                (record, names) throws(ImportError) in
                body(record, names)
            }
        } catch {
            guard case .refused = error else { throw error }
        }
    }
}

extension [FileError] {
    var inOrder: [FileError] {
        sorted { ($0.location.line, $0.location.column) < ($1.location.line, $1.location.column) }
    }
}
