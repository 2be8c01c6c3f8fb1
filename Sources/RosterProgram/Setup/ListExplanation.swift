import Database
import ListAPI
import Listings

/// The query plans of a list, as an SQL script.
///
/// Comments state for every order, grouping and filter whether an index serves it. Statements
/// create the missing indexes.
struct ListExplanation {
    /// The lines with their line breaks.
    let text: String

    /// Reads the query plans of a list from its database.
    ///
    /// - Parameters:
    ///   - list: The list.
    ///   - names: The names of proposed indexes; those of this list are added.
    /// - Throws: ``Failure`` when the database cannot be read.
    init(_ list: ListDefinition, names: inout Set<String>) throws(Failure) {
        guard let source = list.source as? TableSource else {
            text = Self.comment("\(list.name): its rows are in memory and need no index")
            return
        }
        var text = ""
        let statements: [String]
        do {
            var explainer = try TableExplainer(source, names: names)
            for question in Self.questions(list.source.schema, explainer) {
                let way = try explainer.way(of: question.query)
                var verdict = "by an index"
                if !way.isServed {
                    let proposal = try explainer.proposal(for: question.query)
                    verdict = question.isCondition ? "looks at all rows" : "sorts all rows"
                    let sections = question.query.sort.isEmpty ? question.query.grouping : nil
                    verdict += Self.reason(
                        proposal,
                        sections.map { grouping in
                            let part = grouping.part == .initial ? ":initial" : ""
                            let column = list.source.schema.columns[grouping.column].id
                            return "--group-by \(list.name)=\(column)\(part)"
                        }
                    )
                }
                text += Self.comment("\(list.name): \(question.name): \(verdict)")
                if !way.isServed { for line in way.lines { text += Self.comment("    \(line)") } }
            }
            names = explainer.takenNames
            statements = explainer.statements
        } catch {
            throw Failure(.unavailable, "\(list.name) cannot be explained: \(error)")
        }
        self.text = text + statements.map { $0 + "\n" }.joined()
    }

    /// Returns the reason why no statement is proposed, or the option that creates an index.
    private static func reason(_ proposal: IndexProposal, _ option: String?) -> String {
        switch proposal {
        case .statements: ""
        case .ownTable:
            option.map { "; an index is made where the program is started with \($0)" }
                ?? "; it is imported without such an index"
        case .view: "; a view has no index, but the tables it reads may have"
        case .isThere: "; there is an index for it, and the engine takes another"
        case .missing(let name): "; an index for it takes the extension \(name) of the server"
        case .notIndexable: "; no index can be made for it"
        }
    }

    /// Returns a line as an SQL comment, without line breaks and of limited length.
    private static func comment(_ line: String) -> String {
        let characters = line.prefix(longestLine).map { $0.isNewline ? " " : $0 }
        return "-- \(String(characters))\(line.count > longestLine ? "…" : "")\n"
    }

    /// The maximum number of characters, because plans of a search can name every letter.
    private static var longestLine: Int { 300 }

    /// A query of a list, to be explained.
    private struct Question {
        /// The parameters of the query in an address.
        let name: String
        let query: ListQuery

        var isCondition: Bool { query.isNarrowed }
    }

    /// Returns a query for every order, grouping and filter of a list.
    private static func questions(_ schema: ListSchema, _ explainer: TableExplainer) -> [Question] {
        let limit = schema.defaultLimit
        func question(_ name: String, _ group: Grouping?, _ sort: [SortKey]) -> Question {
            let query = ListQuery(grouping: group, sort: sort, shape: .flow(limit: limit))
            return Question(name: name, query: query)
        }
        var questions = [question("as it is", schema.defaultGrouping, schema.defaultSort)]
        for (position, column) in schema.columns.enumerated() {
            if column.isSortable {
                let sort = [SortKey(.column(position))]
                let sections = schema.defaultGrouping
                questions.append(question("sort=\(column.id)", sections, sort))
                if sections != nil {
                    questions.append(question("group=none&sort=\(column.id)", nil, sort))
                }
            }
            if column.isGroupable {
                let group = "group=\(column.id)"
                questions.append(question(group, Grouping(column: position), []))
                if column.type.isText {
                    let initial = Grouping(column: position, part: .initial)
                    questions.append(question("\(group):initial", initial, []))
                }
            }
            guard column.isFilterable else { continue }
            // The key finds rows by their ids and needs no check.
            if position != schema.idColumn {
                guard let query = explainer.question(ofValueIn: position, limit: limit) else {
                    continue
                }
                questions.append(Question(name: "\(column.id)=…", query: query))
            }
            guard column.type.isText else { continue }
            questions.append(
                Question(
                    name: "\(column.id)__contains=…",
                    query: explainer.question(ofLettersIn: position, limit: limit)
                )
            )
        }
        if let query = explainer.question(ofID: limit) {
            questions.append(Question(name: "id=…", query: query))
        }
        if !schema.searchable.isEmpty {
            let query = explainer.question(ofLettersIn: nil, limit: limit)
            questions.append(Question(name: "q=…", query: query))
        }
        return questions
    }
}
