import Bytes
import HTTP
import Listings
import Rendering

extension ActionHandler {
    /// Responds to an action: to programs with its outcome, to people with a redirect to the list.
    func send(
        _ call: ActionCall,
        _ results: [ActionDocument.Result],
        in context: inout RequestContext,
        with response: inout HTTPResponse
    ) {
        response.addField(.cacheControl, "no-store" as StaticString)
        response.addField(.vary, "Accept, Prefer" as StaticString)
        if call.isFromBrowser {
            response.status = .seeOther
            let address =
                results.count == 1 ? results[0].outcome.location.map(context.addresses.own) : nil
            response.addField(
                .location,
                address ?? noticing(results, at: call.listAddress, in: &context)
            )
            return
        }
        if call.preferences.wantsMinimal, results.allSatisfy(\.outcome.isDone) {
            response.status = .noContent
            response.addField("Preference-Applied", "return=minimal" as StaticString)
            return
        }
        if call.preferences.isLenient, call.row == nil {
            response.addField("Preference-Applied", "handling=lenient" as StaticString)
        }
        response.addField(.contentType, PageFormat.json.contentType)
        response.addField(.xContentTypeOptions, "nosniff" as StaticString)
        call.document(results).render(to: &response.body)
        response.body.append(UInt8(ascii: "\n"))
    }

    /// Returns the address of the list, with a notice of the action's messages where there are any.
    private func noticing(
        _ results: [ActionDocument.Result],
        at address: String,
        in context: inout RequestContext
    ) -> String {
        var seen: Set<String> = []
        let texts = results.compactMap(\.outcome.message).filter { seen.insert($0).inserted }
        guard !texts.isEmpty else { return address }
        let separator = address.contains("?") ? "&" : "?"
        return "\(address)\(separator)notice=\(state.options.notices.post(texts))"
    }

    /// Returns the problem of an action's error in one row.
    func actionRefusal(
        _ call: ActionCall,
        _ error: ActionError,
        row: String,
        in context: inout RequestContext
    ) -> Refusal {
        switch error {
        case .unknownRow(let id):
            return Refusal(problem: context.noRow(id, in: call.list), suffix: call.suffix)
        case .refusedMove(let order):
            var refusal = context.refusal(call, .conflict, "Row '\(row)' cannot stand there.")
            refusal.problem.order = order
            return refusal
        case .unchangeable, .failed:
            context.log("\(call.action) of row '\(row)': \(error)")
            return context.refusal(
                call,
                .internalError,
                "'\(call.action)' failed; it has been logged."
            )
        case .source(let error):
            return Refusal(problem: context.problem(for: error), suffix: call.suffix)
        }
    }

    /// Returns the first rows that the action was not performed on, as faults.
    func faults(
        _ results: [ActionDocument.Result],
        _ call: ActionCall,
        in context: inout RequestContext
    ) -> [Problem.Fault] {
        results.prefix(20).map { result in
            let name = result.outcome.name
            let detail =
                switch result.outcome {
                case .unknownRow: "No row '\(result.row)' in \(call.list.name)."
                case .unknownAction: Self.noAction(call.action, result.row)
                case .failed: "'\(call.action)' of row '\(result.row)' failed; it has been logged."
                case .performed, .moved: "Row '\(result.row)': \(result.outcome.message ?? name)"
                }
            var fault = Problem.Fault(nil, code: name, detail: detail)
            fault.members = [("row", .text(result.row))]
            return fault
        }
    }

    /// Returns the text about a row that does not offer an action.
    static func noAction(_ action: String, _ row: String) -> String {
        "Row '\(row)' offers no action '\(action)'."
    }
}
