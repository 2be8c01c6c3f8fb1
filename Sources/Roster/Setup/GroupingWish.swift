import Listings

/// What the command line says about the sections of one list.
struct GroupingWish {
    /// The sections; nil when nothing is said about this list.
    private(set) var grouping: Grouping?
    /// The words of the command line that were taken.
    private(set) var used: [GroupArgument] = []

    /// Finds what is said about a list: what names the list goes before what names none.
    init(list: String, columns: [Column], _ arguments: [GroupArgument]) {
        let own = arguments.filter { $0.list == list }
        for argument in own + arguments.filter({ $0.list == nil }) {
            guard let column = columns.firstIndex(where: { $0.id == argument.column }),
                columns[column].isGroupable, !argument.isInitial || columns[column].type.isText
            else { continue }
            used.append(argument)
            let part: Grouping.Part = argument.isInitial ? .initial : .value
            if grouping == nil { grouping = Grouping(column: column, part: part) }
        }
    }
}
