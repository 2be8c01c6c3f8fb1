import Database
import ListAPI
import Listings

/// The query plans of a list, as an SQL script.
///
/// Comments state for every order, grouping and filter whether an index serves it. Statements
/// create the missing indexes.
struct ListExplanation {
    let text: String

    init(_ list: ListDefinition, names: inout Set<String>) throws(Failure) {
        guard let source = list.source as? TableSource else {
            text = Self.comment("\(list.name): its rows are in memory and need no index")
            return
        }
        var text = ""
        let statements: [String]
        do {
            var explainer = try TableExplainer(source, names: names)
            for explained in Self.explainedQueries(list.source.schema, explainer) {
                let plan = try explainer.queryPlan(of: explained.query)
                var verdict = "by an index"
                if !plan.isServed {
                    let proposal = try explainer.proposal(for: explained.query)
                    verdict = explained.isCondition ? "looks at all rows" : "sorts all rows"
                    let sections = explained.query.sort.isEmpty ? explained.query.grouping : nil
                    verdict += Self.reason(
                        proposal,
                        sections.map { grouping in
                            let part = grouping.part == .initial ? ":initial" : ""
                            let column = list.source.schema.columns[grouping.column].id
                            return "--group-by \(list.name)=\(column)\(part)"
                        }
                    )
                }
                text += Self.comment("\(list.name): \(explained.name): \(verdict)")
                if !plan.isServed { for line in plan.lines { text += Self.comment("    \(line)") } }
            }
            names = explainer.names
            statements = explainer.statements
        } catch {
            throw Failure(.unavailable, "\(list.name) cannot be explained: \(error)")
        }
        self.text = text + statements.map { $0 + "\n" }.joined()
    }

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

    private static func comment(_ line: String) -> String {
        let characters = line.prefix(longestLine).map { $0.isNewline ? " " : $0 }
        return "-- \(String(characters))\(line.count > longestLine ? "…" : "")\n"
    }

    /// The maximum number of characters, because plans of a search can name every letter.
    private static var longestLine: Int { 300 }

    private struct ExplainedQuery {
        let name: String
        let query: ListQuery

        var isCondition: Bool { query.isNarrowed }
    }

    private static func explainedQueries(
        _ schema: ListSchema,
        _ explainer: TableExplainer
    ) -> [ExplainedQuery] {
        let limit = schema.defaultLimit
        func explained(_ name: String, _ group: Grouping?, _ sort: [SortKey]) -> ExplainedQuery {
            let query = ListQuery(grouping: group, sort: sort, shape: .flow(limit: limit))
            return ExplainedQuery(name: name, query: query)
        }
        var explainedQueries = [explained("as it is", schema.defaultGrouping, schema.defaultSort)]
        for (position, column) in schema.columns.enumerated() {
            if column.isSortable {
                let sort = [SortKey(.column(position))]
                let sections = schema.defaultGrouping
                explainedQueries.append(explained("sort=\(column.id)", sections, sort))
                if sections != nil {
                    explainedQueries.append(explained("group=none&sort=\(column.id)", nil, sort))
                }
            }
            if column.isGroupable {
                let group = "group=\(column.id)"
                explainedQueries.append(explained(group, Grouping(column: position), []))
                if column.type.isText {
                    let initial = Grouping(column: position, part: .initial)
                    explainedQueries.append(explained("\(group):initial", initial, []))
                }
            }
            guard column.isFilterable else { continue }
            // The key finds rows by their ids and needs no check.
            if position != schema.idColumn {
                guard let query = explainer.query(ofValueIn: position, limit: limit) else {
                    continue
                }
                explainedQueries.append(ExplainedQuery(name: "\(column.id)=…", query: query))
            }
            guard column.type.isText else { continue }
            explainedQueries.append(
                ExplainedQuery(
                    name: "\(column.id)__contains=…",
                    query: explainer.query(ofLettersIn: position, limit: limit)
                )
            )
        }
        if let query = explainer.query(ofID: limit) {
            explainedQueries.append(ExplainedQuery(name: "id=…", query: query))
        }
        if !schema.searchable.isEmpty {
            let query = explainer.query(ofLettersIn: nil, limit: limit)
            explainedQueries.append(ExplainedQuery(name: "q=…", query: query))
        }
        return explainedQueries
    }
}
