import Listings

/// The groupings of the command line for one list.
struct GroupingOption {
    /// The grouping; nil when the command line has none for this list.
    private(set) var grouping: Grouping?
    /// The arguments that apply to the list.
    private(set) var used: [GroupArgument] = []

    /// Finds the arguments for a list; those that name the list win over general ones.
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
