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
    /// - Parameters:
    ///   - output: The output.
    ///   - maximumCapacity: The bytes of memory that may stay with it.
    mutating func give(_ output: consuming HTTPOutput, keepingAtMost maximumCapacity: Int) {
        guard count < outputs.count else { return }
        output.removeAll(keepingAtMost: maximumCapacity)
        outputs[count] = consume output
        count += 1
    }

    /// Gives their memory back.
    mutating func removeAll() {
        while count > 0 { _ = take() }
    }
}
