// Runs every snippet of the README on a stack of its own. `scripts/check-snippets` compares text and output.

import Coffer

let snippets: [(String, @MainActor (DataStack) async throws -> Void)] = [
    ("transactions", transactions),
    ("fetching", fetching),
    ("observing", observing),
    ("migrating", migrating),
    ("counting", counting),
    ("conflicting", conflicting),
    ("failing", failing),
]
for (name, run) in snippets {
    print("output: \(name)")
    try await run(kennel())
}
