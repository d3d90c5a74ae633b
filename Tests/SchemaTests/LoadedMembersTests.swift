import Testing

@testable import CofferSchema

/// The loaded members of the relationships of one object, compared with a dictionary.
struct LoadedMembersTests {
    @Test func `the members equal a dictionary after the same changes`() {
        var members = LoadedMembers()
        var expected: [Int: [Int64]] = [:]
        for step in 0..<600 {
            let relationship = step * 7 % 5
            let key = Int64(step * 31 % 17)
            switch step * 13 % 9 {
            case 0:
                members.set(MemberKeys([key, key + 1]), relationship)
                expected[relationship] = [key, key + 1]
            case 1, 2, 3:
                members[relationship]?.append(key)
                expected[relationship]?.append(key)
            case 4, 5:
                members[relationship]?.remove(key)
                if let place = expected[relationship]?.firstIndex(of: key) { expected[relationship]?.remove(at: place) }
            case 6:
                members[relationship] = MemberKeys([key])
                expected[relationship] = [key]
            case 7:
                members[relationship] = nil
                expected[relationship] = nil
            default:
                let keys = members.keys(relationship)
                #expect(keys == expected[relationship])
            }
            for relationship in 0..<5 {
                #expect(members[relationship]?.keys == expected[relationship])
                #expect(members.contains(relationship) == (expected[relationship] != nil))
            }
            #expect(members.isEmpty == expected.isEmpty)
            #expect(members.map(\.relationship).sorted() == expected.keys.sorted())
        }
        members.removeAll()
        #expect(members.isEmpty && members.keys(0) == nil)
    }
}
