import HTTP

/// A pool of unused outputs, of the size of a batch of responses.
struct OutputBufferPool: ~Copyable {
    private var outputs = InlineArray<32, HTTPOutput?> { _ in nil }
    private var count = 0

    init() { precondition(outputs.count == FlushConsolidator.maximumCount) }

    /// Takes an empty output, or makes one if the pool is empty.
    mutating func take() -> HTTPOutput {
        guard count > 0 else { return HTTPOutput() }
        count -= 1
        return outputs[count].take() ?? HTTPOutput()
    }

    /// Returns an output to the pool, emptied.
    ///
    /// The first may be large, because it serves all connections outside a batch. The others are
    /// for responses in a batch.
    mutating func give(_ output: consuming HTTPOutput) {
        guard count < outputs.count else { return }
        output.removeAll(
            keepingAtMost: count == 0 ? 256 * 1_024 : FlushConsolidator.bodyBytes.upperBound
        )
        outputs[count] = consume output
        count += 1
    }

    /// Frees the memory of all outputs.
    mutating func removeAll() {
        while count > 0 { _ = take() }
    }
}
