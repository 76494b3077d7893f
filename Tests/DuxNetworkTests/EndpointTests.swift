import DuxNetwork
import Glibc
import Testing

struct EndpointTests {
  @Test(arguments: [
    ("127.0.0.1:7389", Endpoint.tcp(host: "127.0.0.1", port: 7389)),
    ("localhost:0", .tcp(host: "localhost", port: 0)),
    ("a-b.example:65535", .tcp(host: "a-b.example", port: 65_535)),
    ("[::1]:7389", .tcp(host: "::1", port: 7389)),
    ("[fe80::1%eth0]:1", .tcp(host: "fe80::1%eth0", port: 1)),
    ("unix:/run/dux.sock", .unix(path: "/run/dux.sock")),
    ("unix:dux.sock", .unix(path: "dux.sock")),
    ("unix:/a:b", .unix(path: "/a:b")),
  ])
  func whatIsReadIsWrittenTheSameWay(_ text: String, _ endpoint: Endpoint) throws {
    #expect(try Endpoint(text) == endpoint)
    #expect(endpoint.description == text)
  }

  @Test(arguments: [
    ("", EndpointError.Problem.missingPort),
    ("localhost", .missingPort),
    ("localhost:", .missingPort),
    (":7389", .missingHost),
    ("localhost:65536", .unusablePort),
    ("localhost:-1", .unusablePort),
    ("localhost:+1", .unusablePort),
    ("localhost: 1", .unusablePort),
    ("localhost:1e3", .unusablePort),
    ("localhost:99999999999999999999", .unusablePort),
    ("localhost:٣", .unusablePort),
    ("local host:1", .unusableCharacter),
    ("http//x:1", .unusableCharacter),
    ("::1:7389", .bareIPv6),
    ("http://x:1", .bareIPv6),
    ("[::1]", .missingPort),
    ("[::1]7389", .missingPort),
    ("[::1", .unclosedBracket),
    ("[localhost]:1", .bracketsWithoutIPv6),
    ("[]:1", .bracketsWithoutIPv6),
    ("unix:", .missingPath),
    ("unix:/a\0b", .unusableCharacter),
    ("unix:/" + String(repeating: "x", count: 107), .pathTooLong(bytes: 108)),
  ])
  func whatIsNoEndpointIsRefusedWithItsReason(
    _ text: String, _ problem: EndpointError.Problem
  ) throws {
    let error = #expect(throws: EndpointError.self) { _ = try Endpoint(text) }
    #expect(error?.problem == problem)
    #expect(error?.description.contains("\"\(text)\"") == true)
    #expect(error?.description.contains("HOST:PORT, [IPv6]:PORT or unix:PATH") == true)
  }

  @Test
  func textsOfEveryShapeAreReadOrRefusedAndNeverTrap() {
    let pieces = ["", ":", "[", "]", "::", "unix:", "/", "1", "65536", "\0", "é", "\u{301}", "%"]
    for first in pieces {
      for second in pieces {
        for third in pieces {
          for fourth in pieces {
            let text = first + second + third + fourth
            if let endpoint = try? Endpoint(text) {
              #expect((try? Endpoint(endpoint.description)) == endpoint)
            }
          }
        }
      }
    }
  }

  @Test
  func anErrorSaysWhatWasTriedWhereAndWhy() {
    let error = NetworkError(.listen, "unix:/x", errno: EACCES, detail: "ask the owner")
    #expect(error.description == "cannot listen on unix:/x: permission denied (ask the owner)")
    #expect(error.isPermissionDenied)
    #expect(!error.isAddressInUse)
    #expect(!error.isNotFound)
    #expect(NetworkError(.read, "x", errno: 12_345).description.contains("12345"))
  }
}
