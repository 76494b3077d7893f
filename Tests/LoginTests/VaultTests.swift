import DuxStore
import Foundation
import Testing

@testable import Login

/// The folder of the tokens.
struct VaultTests {
  private let place = TestVault()
  private var vault: Vault { place.vault }

  private func tokens(_ request: UUID = .first) -> Vault.Tokens {
    Vault.Tokens(request: request, access: "aaa", refresh: "bbb", grant: .sample)
  }

  private func permissions(_ url: URL) throws -> Int? {
    let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
    return attributes[.posixPermissions] as? Int
  }

  @Test func whatIsKeptIsThereForAnotherProcess() throws {
    try vault.keep(tokens(), of: .first)
    let other = Vault(folder: vault.folder)
    #expect(other.tokens(of: .first) == tokens())
    #expect(other.tokens(of: .numbered(2)) == nil)
    #expect(try other.verifier() == vault.verifier())
  }

  @Test func onlyItsOwnerCanLookIntoIt() throws {
    try vault.keep(tokens(), of: .first)
    _ = try vault.verifier()
    #expect(try permissions(vault.folder) == 0o700)
    for name in [UUID.first.uuidString, "verifier"] {
      #expect(try permissions(vault.folder.appending(path: name)) == 0o600)
    }
  }

  @Test func allIsForgottenButWhatIsNeeded() throws {
    let verifier = try vault.verifier()
    for number in 1...3 { try vault.keep(tokens(), of: .numbered(UInt64(number))) }
    try vault.forgetAll(but: [.numbered(2)])
    #expect((1...3).map { vault.tokens(of: .numbered($0)) != nil } == [false, true, false])
    #expect(try vault.verifier() == verifier)
  }

  @Test func nothingHasToBeForgottenWhereNothingWasKept() throws {
    try vault.forgetAll(but: [])
  }

  @Test func verifiersDiffer() throws {
    let other = TestVault()
    #expect(try vault.verifier() != other.vault.verifier())
    #expect(try vault.verifier().count > 32)
  }

  @Test func aVaultThatCannotBeMadeGivesNoChallenge() {
    #expect(Vault(folder: URL(filePath: "/dev/null/vault")).challenge() == nil)
  }
}
