import CofferStorage
import Testing

/// The messages of errors of stores.
struct StorageErrorTests {
    private static let error = StorageError(
        .busy, "'notes' is locked.", context: [("Holder", "4711"), ("Waited", "5 s")], isRetryable: true,
        cause: "SQLITE_BUSY")

    @Test func `an error is described in one line, with the operation and the store if known`() {
        #expect(Self.error.description == "busy: 'notes' is locked.")
        #expect(Self.error.adding(operation: "insert").description == "busy: 'notes' is locked (insert).")
        let placed = Self.error.adding(operation: "insert", store: "SQLiteStore 'notes'")
        #expect(placed.description == "busy: 'notes' is locked (insert, SQLiteStore 'notes').")
        #expect(StorageError(.failed, "No words", store: "memory").description == "failed: No words (memory).")
    }

    @Test func `the core does not replace the operation and the store of an error`() {
        let known = Self.error.adding(operation: "insert", store: "first").adding(operation: "fetch", store: "second")
        #expect(known.operation == "insert" && known.store == "first")
        #expect(known.isRetryable && known.cause == "SQLITE_BUSY" && known.context.count == 2)
    }

    @Test func `the debug description is a tree of all known details`() {
        #expect(
            Self.error.adding(operation: "insert", store: "notes").debugDescription == """
                StorageError: busy
                ├─ Reason: 'notes' is locked.
                ├─ Operation: insert
                ├─ Store: notes
                ├─ Holder: 4711
                ├─ Waited: 5 s
                ├─ Retryable: yes
                └─ Cause: SQLITE_BUSY
                """)
        #expect(StorageError(.full, "No room.").debugDescription == "StorageError: full\n└─ Reason: No room.")
    }
}
