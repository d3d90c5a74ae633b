import Foundation
import Testing

/// The tests of this target run twice: in debug with all other tests, and in the build that users ship.
struct BuildTests {
    /// `scripts/test` sets `COFFER_RELEASE` for its release job.
    @Test func `the release job runs without debug assertions`() {
        var isDebug = false
        assert(
            {
                isDebug = true; return true
            }())
        if ProcessInfo.processInfo.environment["COFFER_RELEASE"] != nil { #expect(!isDebug) }
    }
}
