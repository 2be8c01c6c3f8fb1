/// The times of one case, taken in turn round after round.
struct Comparison {
    /// Who is compared: ours in several ways, then the others.
    enum Contender: String, CaseIterable {
        case locations, named, fresh, checked, models
        case heckel = "Heckel"
        case hashAll = "hash all"
        case standard = "stdlib"
    }

    private var milliseconds: [Contender: [Double]] = [:]

    /// How often each does its work when it has its turn; what is over at once is done more often.
    let repetitions: Int

    init(rows: Int) { repetitions = max(1, 100_000 / rows) }

    mutating func measure(_ contender: Contender, _ work: () -> Void) {
        let duration = ContinuousClock().measure { for _ in 0..<repetitions { work() } }.components
        let time = Double(duration.attoseconds) / 1e15 + Double(duration.seconds) * 1_000
        milliseconds[contender, default: []].append(time / Double(repetitions))
    }

    /// The median, in milliseconds.
    func median(_ contender: Contender) -> String {
        milliseconds[contender].map { Self.rounded(Self.median($0)) } ?? "–"
    }

    /// How many times as long one takes as another, by rounds: the median, the least and the most.
    func ratio(_ one: Contender, _ other: Contender) -> String {
        guard let ones = milliseconds[one], let others = milliseconds[other] else { return "–" }
        let ratios = zip(ones, others).map { $0 / $1 }.sorted()
        let spread = [ratios[0], ratios[ratios.count - 1]].map(Self.rounded)
        return "\(Self.rounded(Self.median(ratios)))× (\(spread[0])–\(spread[1]))"
    }

    private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

    private static func rounded(_ value: Double) -> String {
        if value >= 100 { return "\(Int(value.rounded()))" }
        let scale = value >= 1 ? 10.0 : 1_000
        return "\((value * scale).rounded() / scale)"
    }
}
