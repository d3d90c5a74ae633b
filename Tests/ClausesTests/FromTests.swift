import CofferClauses
import CofferSchema
import CofferStorage
import TestSupport
import Testing

struct FromTests {
    @Test(.pins("CLS-01")) func `From distinguishes no configurations from the default configuration`() {
        #expect(From<Dog>().configurations == nil)
        #expect(From(Dog.self).configurations == nil)
        #expect(From<Dog>(nil).configurations == [nil])
        #expect(From(Dog.self, nil).configurations == [nil])
        #expect(From<Dog>("A").configurations == ["A"])
        #expect(From<Dog>("A", nil, "B").configurations == ["A", nil, "B"])
        #expect(From(Dog.self, "A", nil).configurations == ["A", nil])
        #expect(From<Dog>(["A", nil]).configurations == ["A", nil])
        #expect(From(Dog.self, ["A", nil]).configurations == ["A", nil])
    }

    @Test(.pins("CLS-01")) func `the entity class can be a subclass of the generic type`() {
        #expect(From<Animal>().entityClass == Animal.self)
        #expect(From<Animal>(Dog.self).entityClass == Dog.self)
    }
}
