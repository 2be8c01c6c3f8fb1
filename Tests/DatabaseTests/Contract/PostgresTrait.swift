import TestSupport
import Testing

extension Trait where Self == ConditionTrait {
    static var needsPostgres: Self {
        .enabled(if: PostgresCluster.programs != nil, "PostgreSQL is not installed")
    }
}
