import HTTP

/// Outputs that are not in use: as many as answers may wait.
struct SpareOutputs: ~Copyable {
    private var outputs = InlineArray<32, HTTPOutput?> { _ in nil }
    private var count = 0

    init() { precondition(outputs.count == Departures.maximumCount) }

    /// One that is empty, made where there is none.
    mutating func take() -> HTTPOutput {
        guard count > 0 else { return HTTPOutput() }
        count -= 1
        return outputs[count].take() ?? HTTPOutput()
    }

    /// Keeps one for later, without what it holds.
    ///
    /// The first, which serves all connections that leave alone, may be large; the others are for
    /// answers that leave together.
    mutating func give(_ output: consuming HTTPOutput) {
        guard count < outputs.count else { return }
        output.removeAll(
            keepingAtMost: count == 0 ? 256 * 1_024 : Departures.bodyBytes.upperBound
        )
        outputs[count] = consume output
        count += 1
    }

    /// Gives their memory back.
    mutating func removeAll() {
        while count > 0 { _ = take() }
    }
}
