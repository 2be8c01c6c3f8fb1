import Bytes
import HTTP
import Listings
import Rendering

/// The problems of writes.
extension WriteCall {
    /// Returns the problem of values that cannot be stored, with a limited number of faults.
    func invalid(_ faults: [Problem.Fault], in context: inout RequestContext) -> Refusal {
        let count = faults.count
        let detail =
            count == 1
            ? "A value cannot be stored; nothing was written."
            : "\(count) values cannot be stored; nothing was written."
        return context.refusal(
            self,
            .invalidRow,
            detail,
            faults: Array(faults.prefix(ListParameters.maximumErrors))
        )
    }

    /// Returns the problem of a writer's error.
    ///
    /// - Parameters:
    ///   - error: The error of the writer.
    ///   - notations: The notation of each change of the batch.
    ///   - context: The context of the request.
    /// - Returns: The refusal.
    /// - Throws: ``SourceError`` when the current row cannot be read.
    func refusal(
        for error: WriteError,
        _ notations: [RowDecoder.Notation],
        in context: inout RequestContext
    ) throws -> Refusal {
        switch error {
        case .refused(let refusals):
            let sorted = refusals.sorted { $0.key < $1.key }
            if notations.count == 1, let first = sorted.first {
                return try refusal(for: first.value, notations[0], in: &context)
            }
            let all = sorted.map { problem(of: $0.value, notations[$0.key]) }
            let kind = all.first?.kind ?? .conflict
            let detail = "Nothing was written: \(all.count) rows were refused."
            let faults = all.flatMap(\.faults).prefix(ListParameters.maximumErrors)
            return context.refusal(self, kind, detail, faults: Array(faults))
        case .reusedKey:
            let detail = "The key of this request was used for another one; nothing was written."
            return context.refusal(self, .reusedKey, detail)
        case .busy:
            return context.refusal(
                self,
                .unavailable,
                "Somebody else is writing; nothing was written."
            )
        case .keepsNoAnswers:
            let detail =
                "This list keeps no answers, so it takes no Idempotency-Key; nothing was written."
            return context.refusal(self, .malformedContent, detail)
        case .uncertain:
            context.log("\(error)")
            let detail =
                "The database was lost while it saved: this may have been written. Look before you "
                + "ask again; a request with an Idempotency-Key can just be repeated."
            return context.refusal(self, .unavailable, detail)
        case .full:
            context.log("no room left to write")
            return context.refusal(self, .outOfRoom, "There is no room left; nothing was written.")
        case .readOnly, .unavailable:
            let cause =
                if case .unavailable(let reason) = error { reason } else {
                    "the database may only be read"
                }
            context.log("\(list.name) cannot be written to: \(cause)")
            let detail = "The list cannot be written to at the moment; nothing was written."
            return context.refusal(self, .unavailable, detail)
        }
    }

    /// Returns the problem of a single refused row.
    func refusal(
        for refusal: RowRefusal,
        _ notation: RowDecoder.Notation = .json(""),
        in context: inout RequestContext
    ) throws -> Refusal {
        let (kind, faults) = problem(of: refusal, notation)
        switch refusal {
        case .unknownRow(let id):
            return Refusal(problem: context.noRow(id, in: list), suffix: suffix)
        case .invalid: return invalid(faults, in: &context)
        case .existingRow(let id):
            return context.refusal(self, kind, "There is a row '\(id)' already.", faults: faults)
        case .takenValues:
            let detail = "Another row has what may be there once; nothing was written."
            return context.refusal(self, kind, detail, faults: faults)
        case .againstPolicy:
            let detail =
                "A row-level security policy of the database does not allow this row; nothing was "
                + "written."
            return context.refusal(self, kind, detail, faults: faults)
        case .referredTo(let id, let constraint):
            let violation = RowRefusal.violation(of: constraint)
            let detail = "Other rows refer to row '\(id)'; nothing was written.\(violation)"
            return context.refusal(self, kind, detail)
        case .failedCondition(let id):
            let detail = "Row '\(id)' is not in the state that the request means."
            var refusal = context.refusal(self, kind, detail)
            guard try endpoint.readRow(id) else {
                // Other rows do not exist for a caller with row filters.
                guard endpoint.view.conditions.isEmpty else {
                    return Refusal(problem: context.noRow(id, in: list), suffix: suffix)
                }
                return refusal
            }
            var row = ByteBuffer(minimumCapacity: 512)
            context.state.json.renderRowAlone(
                of: endpoint.page,
                in: self.context(ofRow: id),
                to: &row
            )
            refusal.problem.currentRow = row.array()
            return refusal
        }
    }

    /// Returns the problem kind and the faults of a refused row.
    func problem(
        of refusal: RowRefusal,
        _ notation: RowDecoder.Notation
    ) -> (kind: ProblemKind, faults: [Problem.Fault]) {
        refusal.told(writer.rules, notation, list: list.name)
    }
}
