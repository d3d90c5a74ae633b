import CofferMigration
import TestSupport
import Testing

struct MigrationChainTests {
    @Test(.pins("MIG-01")) func `chains without steps are equal, valid and empty`() {
        let empty: [MigrationChain] = [nil, [], [:], MigrationChain()]
        for chain in empty {
            #expect(chain == empty[0] && chain.isValid && chain.isEmpty)
            #expect(!chain.contains("V1") && chain.nextVersionFrom("V1") == nil)
        }
        let one: MigrationChain = "V1"
        #expect(one.isValid && one.isEmpty && one.contains("V1") && one == ["V1"])
        #expect(one != empty[0])
    }

    @Test(.pins("MIG-02")) func `a chain from a list equals the chain from its steps`() {
        let line: MigrationChain = ["1", "2", "3", "4"]
        #expect(line == ["1": "2", "2": "3", "3": "4"])
        #expect(line == MigrationChain(["1": "2", "2": "3", "3": "4"]))
        #expect(line.isValid && !line.isEmpty)
        #expect(["1", "2", "3", "4", "5"].map(line.nextVersionFrom) == ["2", "3", "4", nil, nil])
        #expect(line.leafVersions == ["4"])
    }

    @Test(.pins("MIG-02")) func `several versions can have the same next version`() {
        let tree: MigrationChain = ["1": "4", "2": "3", "3": "4"]
        #expect(tree.isValid && tree.leafVersions == ["4"])
        #expect(["1", "2", "3", "4"].map(tree.nextVersionFrom) == ["4", "3", "4", nil])
        #expect(tree.contains("2") && !tree.contains("5"))
        let forest: MigrationChain = ["1": "2", "3": "4"]
        #expect(forest.isValid && forest.leafVersions == ["2", "4"])
    }

    @Test(.pins("MIG-03")) func `a chain with a repeated version or a cycle is not valid`() {
        let makers: [(String, () -> MigrationChain)] = [
            ("twice in the migration chain", { ["A", "B", "A"] }),
            ("two steps from version 'C'", { MigrationChain([("C", "D"), ("C", "E")]) }),
            ("has a loop", { ["F": "G", "G": "F"] }),
            ("has a loop", { ["H": "I", "I": "J", "J": "I"] }),
        ]
        for (text, make) in makers {
            var chain = MigrationChain()
            let recording = RecordingLogger.record("igration chain") { chain = make() }
            #expect(!chain.isValid)
            #expect(recording.assertions.contains { $0.contains(text) }, "\(recording.assertions)")
        }
    }

    @Test(.pins("MIG-03")) func `a version that is its own next version ends the chain`() {
        let chain = MigrationChain([("A", "B"), ("B", "B")])
        #expect(chain.isValid && chain.nextVersionFrom("A") == "B" && chain.nextVersionFrom("B") == nil)
    }
}
