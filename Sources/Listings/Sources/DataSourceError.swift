/// An error of an operation on a snapshot or a data source, which has changed nothing.
public enum DataSourceError: Error, Hashable, Sendable {
    /// There is no row at this position, or none can be inserted.
    case outOfBounds(IndexPath)
    /// There is no section at this position, or none can be inserted.
    case sectionOutOfBounds(Int)
    /// Two rows would have the same id, at these positions after the edit.
    case duplicateID(String, first: IndexPath, second: IndexPath)
    /// Two sections would have the same id, at these positions after the edit.
    case duplicateSection(SectionID, first: Int, second: Int)
    /// No row has this id.
    case unknownID(String)
    /// No section has this id.
    case unknownSection(SectionID)
    /// There is no section to append rows to.
    case noSections
    /// The model at a position is not of the requested type.
    case modelMismatch(IndexPath, found: String, wanted: String)
    /// The current thread is already updating the data source.
    case reentrantUpdate
    /// Two segments have this id.
    case duplicateSegment(String)
    /// The models could not be read.
    case unreadable(SourceError)
}
