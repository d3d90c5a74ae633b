import CofferClauses
import CofferSchema
import CofferStorage
import TestSupport
import Testing

struct FromTests {
    @Test(.pins("CLS-01")) func `no configurations are told apart from the default one`() {
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

    @Test(.pins("CLS-01")) func `the class may be a subclass of the type`() {
        #expect(From<Animal>().entityClass == Animal.self)
        #expect(From<Animal>(Dog.self).entityClass == Dog.self)
    }
}
