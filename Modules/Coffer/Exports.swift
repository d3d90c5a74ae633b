@_exported public import CofferClauses
@_exported public import CofferMigration
@_exported public import CofferObservation
@_exported public import CofferSchema
@_exported public import CofferStorage
@_exported public import CofferTransactions
