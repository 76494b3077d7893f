import DuxStore
import Glibc
import Testing

@testable import DuxClient
@testable import Todos

/// What a store is told at its making.
struct AddressTests {
  @Test(arguments: ["127.0.0.1:7389", "[::1]:80", "unix:/run/dux.sock", "db.example:1"])
  func anAddressReadsAsItIsWritten(_ text: String) throws {
    #expect(try DaemonAddress(text).description == text)
  }

  @Test(arguments: ["", "host", ":7389", "host:0x1", "::1:80", "unix:", "a b:1"])
  func whatIsNoAddressIsNamed(_ text: String) {
    let error = #expect(throws: ClientError.self) { try DaemonAddress(text) }
    #expect(error?.description.contains("\"\(text)\"") == true)
  }

  @Test func namesThatAreMadeDiffer() throws {
    let names = try (0..<50).map { _ in try ClientName.checked(nil) }
    #expect(Set(names).count == 50)
    #expect(names.allSatisfy { $0.contains("-\(getpid())-") && $0.utf8.count <= 128 })
  }

  @Test(arguments: ["", "@duxd", "a\nb", String(repeating: "x", count: 129)])
  func aNameThatCannotBeUsedIsRefused(_ name: String) {
    #expect(throws: ClientError.self) { try ClientName.checked(name) }
    #expect(throws: ClientError.self) {
      try RemoteStore(
        TodosApp(), at: DaemonAddress("127.0.0.1:1"), options: ClientOptions(name: name))
    }
  }

  @Test func aQueueThatCannotBeUsedIsRefusedAtOnce() throws {
    let options = ClientOptions(offlineQueue: "/proc/none/queue")
    let error = #expect(throws: ClientError.self) {
      try RemoteStore(TodosApp(), at: DaemonAddress("127.0.0.1:1"), options: options)
    }
    guard case .queue(let text)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(text.contains("/proc/none"))
  }
}
