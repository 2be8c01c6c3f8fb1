extension Option {
    /// The settings of timeouts, sizes, reading times and queues.
    static let limits: [Option] = [
        Option(
            key: .headTimeout,
            flag: "--head-timeout",
            variable: "ROSTER_HEAD_TIMEOUT",
            placeholder: "SECONDS",
            standard: "10",
            summary: "longest wait for the head of a request, 1...600; then 408"
        ),
        Option(
            key: .bodyTimeout,
            flag: "--body-timeout",
            variable: "ROSTER_BODY_TIMEOUT",
            placeholder: "SECONDS",
            standard: "10",
            summary: "longest wait for more of a body, 1...600; then 408"
        ),
        Option(
            key: .idleTimeout,
            flag: "--idle-timeout",
            variable: "ROSTER_IDLE_TIMEOUT",
            placeholder: "SECONDS",
            standard: "75",
            summary: "time an idle connection is kept, 1...3600; more than the proxy keeps it"
        ),
        Option(
            key: .writeTimeout,
            flag: "--write-timeout",
            variable: "ROSTER_WRITE_TIMEOUT",
            placeholder: "SECONDS",
            standard: "20",
            summary: "longest wait for a client to take bytes, 1...600; then it is reset"
        ),
        Option(
            key: .bodyLimit,
            flag: "--body-limit",
            variable: "ROSTER_BODY_LIMIT",
            placeholder: "KIBIBYTES",
            standard: "1024",
            summary: "largest body that is no import, 1...1048576; a larger one is answered 413"
        ),
        Option(
            key: .rowsTime,
            flag: "--rows-time",
            variable: "ROSTER_ROWS_TIME",
            placeholder: "MILLISECONDS",
            standard: "500, PostgreSQL 1000",
            summary: "time to read rows, 10...20000; over it the answer is 503"
        ),
        Option(
            key: .countsTime,
            flag: "--counts-time",
            variable: "ROSTER_COUNTS_TIME",
            placeholder: "MILLISECONDS",
            standard: "50",
            summary: "time to count the rows of a page, 1...5000; over it counts are left out"
        ),
        Option(
            key: .facetsTime,
            flag: "--facets-time",
            variable: "ROSTER_FACETS_TIME",
            placeholder: "MILLISECONDS",
            standard: "50",
            summary: "time for the facets of a page, 1...5000; over it they are left out"
        ),
        Option(
            key: .readQueue,
            flag: "--read-queue",
            variable: "ROSTER_READ_QUEUE",
            placeholder: "NUMBER",
            standard: "64",
            summary: "slow reads that wait for a thread, 0...10000; more are answered 503"
        ),
        Option(
            key: .writeQueue,
            flag: "--write-queue",
            variable: "ROSTER_WRITE_QUEUE",
            placeholder: "NUMBER",
            standard: "32",
            summary: "writes that wait for a thread, 0...1000; more are answered 503"
        ),
    ]
}
