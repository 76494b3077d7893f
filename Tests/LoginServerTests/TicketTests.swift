import Challenge
import DuxHTTP
import DuxJSON
import Foundation
import Testing

/// Passwords that are left with the server, and requests that are sent twice.
struct TicketTests {
  private let password: JSON = "correct horse battery"

  private func ticket(_ harness: Harness, for verifier: String) async throws -> JSON {
    let answer = try await harness.post(
      "ticket", ["password": password, "challenge": .string(Challenge.of(verifier))])
    return try #require(answer["data"]?["ticket"])
  }

  private func signUp(
    _ harness: Harness, _ ticket: JSON, _ verifier: JSON, key: String? = nil
  ) async throws -> JSON {
    try await HTTPClient.live.post(
      harness.url.appending(path: "api/emailSignup"),
      json: ["email": "ann@example.org", "ticket": ticket, "verifier": verifier],
      headers: key.map { ["Idempotency-Key": $0] } ?? [:]
    ).json()
  }

  @Test func aTicketStandsForThePasswordOnce() async throws {
    try await Harness.run { harness in
      let ticket = try await ticket(harness, for: "v")
      #expect(try await signUp(harness, ticket, "v").code == 0)
      #expect(try await signUp(harness, ticket, "v").code == 50)
      #expect(try await harness.signIn("ann@example.org", "correct horse battery").code == 0)
    }
  }

  @Test func onlyTheHolderOfTheVerifierCanUseIt() async throws {
    try await Harness.run { harness in
      let ticket = try await ticket(harness, for: "v")
      #expect(try await signUp(harness, ticket, "w").code == 50)
      #expect(try await signUp(harness, ticket, .null).code == 50)
      #expect(try await signUp(harness, "1.2", "v").code == 50)
      #expect(try await signUp(harness, ticket, "v").code == 0)
    }
  }

  @Test func aTicketEndsAfterAMinute() async throws {
    try await Harness.run { harness in
      let ticket = try await ticket(harness, for: "v")
      harness.advance(by: .seconds(60))
      #expect(try await signUp(harness, ticket, "v").code == 50)
    }
  }

  @Test func theSameRequestAgainGetsTheSameAnswer() async throws {
    try await Harness.run { harness in
      let ticket = try await ticket(harness, for: "v")
      let first = try await signUp(harness, ticket, "v", key: "k")
      #expect(first.code == 0)
      #expect(try await signUp(harness, ticket, "v", key: "k") == first)
      #expect(try await signUp(harness, ticket, "w", key: "k").code == 1)
      #expect(try await signUp(harness, ticket, "v", key: "l").code == 50)
      harness.advance(by: .seconds(600))
      #expect(try await signUp(harness, ticket, "v", key: "k").code == 50)
    }
  }

  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (
      String(repeating: "a", count: 1_000),
      "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3"
    ),
  ])
  func aChallengeIsTheSHA256OfItsVerifier(_ verifier: String, _ challenge: String) {
    #expect(Challenge.of(verifier) == challenge)
  }
}
