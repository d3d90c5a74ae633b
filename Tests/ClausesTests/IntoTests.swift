import CofferClauses
import CofferSchema
import TestSupport
import Testing

struct IntoTests {
    @Test(.pins("CLS-05")) func `the store is inferred unless a configuration is specified`() {
        #expect(Into<Dog>().inferStoreIfPossible)
        #expect(Into(Dog.self).inferStoreIfPossible)
        #expect(!Into<Dog>(nil).inferStoreIfPossible)
        #expect(!Into<Dog>("Config1").inferStoreIfPossible)
        #expect(Into<Dog>().configuration == nil)
        #expect(Into<Dog>(nil).configuration == nil)
        #expect(Into(Dog.self, "Config1").configuration == "Config1")
    }

    @Test(.pins("CLS-05")) func `an inferred, the default and a named configuration are not equal`() {
        #expect(Into<Dog>() == Into(Dog.self))
        #expect(Into<Dog>() != Into<Dog>(nil))
        #expect(Into<Dog>() != Into<Dog>("Config1"))
        #expect(Into<Dog>("Config1") == Into(Dog.self, "Config1"))
    }

    @Test(.pins("CLS-05")) func `clauses for the same class are equal, whatever their generic type`() {
        #expect(Into<Animal>() != Into<Animal>(Dog.self))
        #expect(Into<Animal>(Dog.self) == Into<Dog>())
        #expect(Set([Into<Animal>(), Into<Animal>(Dog.self), Into<Animal>(Animal.self)]).count == 2)
    }

    @Test(.pins("CLS-05")) func `the default configuration has the same name as in Core Data`() {
        #expect(SchemaBinding.defaultConfigurationName == "PF_DEFAULT_CONFIGURATION_NAME")
    }
}
