/// Why a snapshot or a data source refused what was asked of it; nothing has changed then.
public enum DataSourceError: Error, Hashable, Sendable {
    /// No row stands, or none can be put, at this place.
    case outOfBounds(IndexPath)
    /// No section stands, or none can be put, at this position.
    case sectionOutOfBounds(Int)
    /// Two rows would have one id, at these places of the list as it would have become.
    case duplicateID(String, first: IndexPath, second: IndexPath)
    /// Two sections would have one id, at these positions of the list as it would have become.
    case duplicateSection(SectionID, first: Int, second: Int)
    /// No row has this id.
    case unknownID(String)
    /// No section has this id.
    case unknownSection(SectionID)
    /// There is no section that rows could be appended to.
    case noSections
    /// The model at a place is of another type than the one asked for.
    case modelMismatch(IndexPath, found: String, wanted: String)
    /// The data source is being updated by the thread that asks for another update.
    case reentrantUpdate
    /// Two segments have this id.
    case duplicateSegment(String)
    /// The models could not be read.
    case unreadable(SourceError)
}
