extension String {
    /// A page without the names of its request and of states, which differ for another list of the
    /// same rows.
    package var withoutStates: String {
        replacing(/"version":"[^"]*"/, with: "")
            .replacing(/data-version="[^"]*"/, with: "")
            .replacing(/since=[^"&]*/, with: "")
            .replacing(/"instance":"[^"]*"/, with: "")
            .replacing(/req-[0-9a-f]+-[0-9a-f]+/, with: "")
            .replacing(/"etag":"\\"[^"]*\\""/, with: "")
    }
}
