// Runs every snippet of the documents on a separate stack. `scripts/check-snippets` compares text and output.

import Coffer

let snippets: [(String, @MainActor (DataStack) async throws -> Void)] = [
    ("transactions", transactions),
    ("fetching", fetching),
    ("observing", observing),
    ("following", following),
    ("following-fields", followingFields),
    ("following-commits", followingCommits),
    ("visiting", visiting),
    ("by-index", readingByIndex),
    ("migrating", migrating),
    ("counting", counting),
    ("conflicting", conflicting),
    ("failing", failing),
    ("films-import", importing),
    ("films-error", failingImport),
    ("cities-import", importingFile),
    ("visits-import", importingDirtyFile),
    ("visits-reader", readingFile),
]
for (name, run) in snippets {
    print("output: \(name)")
    try await run(kennel())
}
