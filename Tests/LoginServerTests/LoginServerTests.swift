import DuxHTTP
import DuxJSON
import Foundation
import Testing

/// What the login server answers, over HTTP.
struct LoginServerTests {
  @Test func whoSignsUpIsSignedInAndCanSignInAgain() async throws {
    try await Harness.run { server in
      let new = try await server.signUp("Ada@Example.org", "correct horse")
      #expect(new.code == 0)
      #expect(new["data"]?["user"] == ["id": 1, "email": "ada@example.org"])
      let again = try await server.signIn("ada@example.ORG", "correct horse")
      #expect(again.code == 0)
      #expect(again.access != new.access)
      for token in [new.access, again.access] {
        let me = try await server.me(token)
        #expect(me == ["code": 0, "data": ["id": 1, "email": "ada@example.org"]])
      }
    }
  }

  @Test(arguments: [
    ("", "correct horse", 20), ("ada", "correct horse", 21), ("@example.org", "correct horse", 21),
    ("ada@localhost", "correct horse", 21), ("a b@example.org", "correct horse", 21),
    ("a@b@example.org", "correct horse", 21), ("ada@example..org", "correct horse", 21),
    ("ada@example.org\u{0}", "correct horse", 21),
    (String(repeating: "a", count: 250) + "@b.org", "correct horse", 21),
    ("new@example.org", "", 30), ("new@example.org", "short", 31),
    ("new@example.org", String(repeating: "x", count: 257), 31),
    ("new@example.org", "correct\u{0}horse", 31), ("ada@example.org", "another horse", 22),
    ("", "", 20),
  ])
  func aSignUpThatIsRefusedHasItsCode(_ email: String, password: String, code: Int) async throws {
    try await Harness.run { server in
      _ = try await server.signUp("ada@example.org", "correct horse")
      let answer = try await server.signUp(email, password)
      #expect(answer.code == .integer(Int64(code)))
      #expect(answer["message"]?.stringValue?.isEmpty == false)
      #expect(answer["data"] == nil)
    }
  }

  @Test(arguments: [
    ("bob@example.org", "correct horse", 40), ("ada@example.org", "correct horsE", 32),
    ("ada@example.org", "correct horse ", 32), ("ada@example.org", "", 30), ("", "x", 20),
  ])
  func aSignInThatIsRefusedHasItsCode(_ email: String, password: String, code: Int) async throws {
    try await Harness.run { server in
      _ = try await server.signUp("ada@example.org", "correct horse")
      let answer = try await server.signIn(email, password)
      #expect(answer.code == .integer(Int64(code)))
    }
  }

  @Test func anAccessTokenEndsAfterAnHour() async throws {
    try await Harness.run { server in
      let session = try await server.signUp("ada@example.org", "correct horse")
      server.advance(by: .seconds(3_599))
      #expect(try await server.me(session.access).code == 0)
      server.advance(by: .seconds(1))
      #expect(try await server.me(session.access).code == 42)
    }
  }

  @Test func refreshingGivesTwoNewTokensAndUsesUpTheOld() async throws {
    try await Harness.run { server in
      let first = try await server.signUp("ada@example.org", "correct horse")
      server.advance(by: .seconds(3_600))
      let second = try await server.refresh(first.refresh)
      #expect(second.code == 0)
      #expect(second.access != first.access && second.refresh != first.refresh)
      #expect(try await server.me(second.access).code == 0)
      #expect(try await server.refresh(first.refresh).code == 41)
      #expect(try await server.refresh(second.refresh).code == 0)
    }
  }

  @Test func aRefreshTokenEndsAfterAWeek() async throws {
    try await Harness.run { server in
      let session = try await server.signUp("ada@example.org", "correct horse")
      server.advance(by: .seconds(7 * 86_400))
      #expect(try await server.refresh(session.refresh).code == 41)
    }
  }

  @Test func oneOfManyRefreshesWithTheSameTokenSucceeds() async throws {
    try await Harness.run { server in
      let session = try await server.signUp("ada@example.org", "correct horse")
      let codes = try await withThrowingTaskGroup(of: JSON?.self) { group in
        for _ in 0..<20 { group.addTask { try await server.refresh(session.refresh).code } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(codes.count { $0 == 0 } == 1)
      #expect(codes.count { $0 == 41 } == 19)
    }
  }

  @Test func oneOfManySignUpsWithTheSameAddressSucceeds() async throws {
    try await Harness.run { server in
      let codes = try await withThrowingTaskGroup(of: JSON?.self) { group in
        for _ in 0..<10 {
          group.addTask { try await server.signUp("ada@example.org", "correct horse").code }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(codes.count { $0 == 0 } == 1)
      #expect(codes.count { $0 == 22 } == 9)
    }
  }

  @Test func tokensAreLongRandomAndOfNoUseInEachOthersPlace() async throws {
    try await Harness.run { server in
      let session = try await server.signUp("ada@example.org", "correct horse")
      let access = session.access
      #expect(access.split(separator: ".").last?.count == 64)
      #expect(try await server.me(session.refresh).code == 42)
      #expect(try await server.refresh(access).code == 41)
      let last = access.last == "0" ? "1" : "0"
      for wrong in ["", "x", ".", access + "0", String(access.dropLast()) + last, "é.\(access)"] {
        #expect(try await server.me(wrong).code == 42)
        #expect(try await server.refresh(wrong).code == 41)
      }
      #expect(try await server.me(nil).code == 42)
    }
  }

  @Test(arguments: ["", "null", "[]", "{", "\"x\"", "{\"email\":1,\"email\":2}"])
  func aBodyThatIsNoObjectHasCodeOne(_ body: String) async throws {
    try await Harness.run { server in
      let response = try await HTTPClient.live.perform(
        HTTPRequest(
          .post, server.url.appending(path: "api/emailSignin"), body: Data(body.utf8)))
      #expect(response.status == 200)
      #expect(try response.json().code == 1)
    }
  }

  @Test func otherPlacesAndMethodsAreNotThere() async throws {
    try await Harness.run { server in
      let missing = try await HTTPClient.live.get(server.url.appending(path: "api/users"))
      #expect(missing.status == 404)
      let wrong = try await HTTPClient.live.get(server.url.appending(path: "api/emailSignup"))
      #expect(wrong.status == 405)
      let large = HTTPRequest(
        .post, server.url.appending(path: "api/emailSignup"),
        body: Data(repeating: 120, count: 100_000))
      #expect(try await HTTPClient.live.perform(large).status == 413)
    }
  }
}
