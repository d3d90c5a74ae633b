import CofferStorage
import CofferStorageTools
import Testing

/// The options of a URL as numbers, flags and words.
struct StorageOptionReaderTests {
    private enum Level: String, CaseIterable {
        case low = "LOW", high = "HIGH"
    }

    private static let known = ["count", "wait", "safe", "level", "name"].map { StorageOption($0, "a test") }

    private func reader(_ options: String, known: [StorageOption] = known) throws -> StorageOptionReader {
        try StorageOptionReader(StorageURL("test:?\(options)"), known: known)
    }

    @Test func `options are read as values of their types`() throws {
        let reader = try reader("count=-3&wait=0.5&safe=1&level=High&name=a%26b")
        #expect(try reader.integer("count", in: -5...5) == -3)
        #expect(try reader.seconds("wait") == 0.5)
        #expect(try reader.flag("safe") == true)
        #expect(try reader.choice("level", Level.self) == .high)
        #expect(reader.string("name") == "a&b")
    }

    @Test func `a missing option is nil`() throws {
        let reader = try reader("")
        #expect(try reader.integer("count", in: 0...1) == nil)
        #expect(try reader.seconds("wait") == nil)
        #expect(try reader.flag("safe") == nil)
        #expect(try reader.choice("level", Level.self) == nil)
        #expect(reader.string("name") == nil)
    }

    @Test(arguments: ["true", "1", "false", "0"])
    func `a flag is true, false, 1 or 0`(_ text: String) throws {
        #expect(try reader("safe=\(text)").flag("safe") == ["true", "1"].contains(text))
    }

    /// The value may have been meant for another option, such as a password.
    @Test(arguments: [
        ("count=six", "'count' should be a whole number, 0 to 5."),
        ("count=6", "'count' should be a whole number, 0 to 5."),
        ("count=", "'count' should be a whole number, 0 to 5."),
        ("wait=-1", "'wait' should be a number of seconds, 0 or more."),
        ("wait=inf", "'wait' should be a number of seconds, 0 or more."),
        ("wait=nan", "'wait' should be a number of seconds, 0 or more."),
        ("safe=TRUE", "'safe' should be true or false."), ("level=middle", "'level' should be low or high."),
    ])
    func `an invalid value throws an error that does not contain the value`(_ options: String, _ message: String) throws
    {
        let reader = try reader(options)
        let error = #expect(throws: StorageError.self) {
            _ = try reader.integer("count", in: 0...5)
            _ = try reader.seconds("wait")
            _ = try reader.flag("safe")
            _ = try reader.choice("level", Level.self)
        }
        #expect(error?.code == .invalidConfiguration)
        #expect(error?.message == "The option \(message)")
    }

    @Test func `an unknown option throws an error with a similar name and all names`() throws {
        func message(_ options: String, _ known: [StorageOption] = Self.known) -> String? {
            #expect(throws: StorageError.self) { try reader(options, known: known) }?.message
        }
        #expect(
            message("cuont=1")
                == "'test' has no option 'cuont'. Did you mean 'count'? "
                + "It supports 'count', 'level', 'name', 'safe', 'wait'."
        )
        #expect(
            message("zzzzzzzzz=1")
                == "'test' has no option 'zzzzzzzzz'. It supports 'count', 'level', 'name', 'safe', 'wait'.")
        #expect(message("count=1", []) == "'test' has no option 'count'. It supports no options.")
        let many = (10..<30).map { StorageOption("option\($0)", "a test") }
        #expect(
            message("option9=1", many)?.hasPrefix("'test' has no option 'option9'. Did you mean 'option") == true)
        #expect(message("option9=1", many)?.contains("It supports 20 options, such as 'option") == true)
    }

    @Test func `an unknown option that may be a password is not shown`() {
        let error = #expect(throws: StorageError.self) { try reader("secret@host=1") }
        #expect(error?.message.contains("secret") == false)
        #expect(error?.message.contains("write %2F, %3F, %40 or %26") == true)
    }
}
