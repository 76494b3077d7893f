import DuxJSON
import Testing

@testable import dux

/// What `dux wait --until` takes.
struct ExpressionTests {
  private let value: JSON = [
    "n": 3, "x": 1.5, "big": 9_007_199_254_740_993, "name": "web", "list": [1, "two", [3]],
    "null": nil, "a b": ["(": 1], "": "empty",
  ]

  @Test(
    arguments: [
      ("exists", true), ("missing", false), ("/n exists", true), ("/no missing", true),
      ("/n == 3", true), ("/n == 3.0", true), ("/n != 3", false),
      ("/no == 3", false), ("/no != 3", true), ("/null == null", true), ("/null missing", false),
      ("/n < 4", true), ("/n < 3", false), ("/n <= 3", true), ("/n > 2.5", true),
      ("/n >= 4", false),
      ("/x > 1", true), ("/x < 2", true), ("/x <= 1.5", true), ("/x >= 1.6", false),
      ("/big > 9007199254740992.0", true), ("/big < 9007199254740994.0", true),
      ("/big < 1e300", true), ("/big > -1e300", true), ("/n < \"4\"", false), ("/n > null", false),
      ("/no < 1", false), ("/no > 1", false), ("/name < wec", true), ("/name >= web", true),
      ("/name == web", true), ("/name == \"web\"", true), ("/name contains e", true),
      ("/name contains \"\"", true), ("/list contains two", true),
      ("/list contains 1.0", true), ("/list contains [3]", true), ("/list contains 3", false),
      ("contains n", true), ("contains 3", false), ("/n contains 3", false),
      ("/list == [1, \"two\", [3]]", true), ("/list/2/0 == 3", true), ("/ == empty", true),
      ("/n == 3 and /name == web", true), ("/n == 4 and /name == web", false),
      ("/n == 4 or /name == web", true), ("/n == 4 or /name == x and exists", false),
      ("(/n == 4 or /name == web) and exists", true), ("/n == 3 or missing and missing", true),
      ("not missing", true), ("not not exists", true), ("not(missing or /n == 3)", false),
      ("( ( exists ) )", true), ("  exists\n", true), ("/name == and", false),
      ("/name != or", true),
      ("/name == \"a and b\" or /n == 3", true), ("contains \"a b\"", true),
      ("/name != \"(\"", true),
      ("/list contains{\"a\":\"]\"}", false),
    ] as [(String, Bool)])
  func `an expression asks about a value, and what is below it`(
    text: String, holds: Bool
  ) throws {
    #expect(try Expression(text).holds(for: value) == holds)
  }

  @Test func `nothing is missing, differs from everything, and has no order`() throws {
    for (text, holds) in [
      ("missing", true), ("exists", false), ("== null", false), ("!= null", true), ("< 1", false),
      (">= 1", false), ("contains 1", false), ("/a missing", true), ("not == 1", true),
    ] {
      #expect(try Expression(text).holds(for: nil) == holds, "\(text)")
    }
  }

  @Test(
    arguments: [
      ("", 0, "expected a path, exists"), ("  ", 2, "expected a path"),
      ("foo", 0, "expected a path"),
      ("= 3", 0, "equality is written =="), ("== ", 3, "expected a value after =="),
      ("/n", 2, "expected exists"), ("/n 3", 3, "expected exists"),
      ("== 3 4", 5, "expected and, or, or the end"), ("== 3 and", 8, "expected a path"),
      ("exists)", 6, "there is no ("), ("(exists", 7, "expected )"), ("(== 3", 5, "expected )"),
      ("== {\"a\":}", 8, "cannot stand here"), ("== [1", 5, "the text ends"),
      ("== \"open", 8, "the text ends"), ("== 9223372036854775808", 3, "hold exactly"),
      ("/a~2 == 1", 0, "~0"), ("/n==3", 5, "expected exists"), ("/name contains w)", 16, "no ("),
      ("existsnot", 0, "expected a path"),
      ("contains", 8, "expected a value"),
      ("not", 3, "expected a path"), ("<", 1, "expected a value after <"),
    ] as [(String, Int, String)])
  func `what can't be read is refused at its place`(
    text: String, place: Int, problem: String
  ) throws {
    let failure = try #require(throws: Failure.self) { _ = try Expression(text) }
    #expect(failure.status == .usage)
    #expect(failure.message.contains("at byte \(place),"), "\(failure.message)")
    #expect(failure.message.contains(problem), "\(failure.message)")
  }

  @Test func `depth has an end, and length has none`() throws {
    let deep = String(repeating: "(", count: 100_000) + "exists"
    #expect(throws: Failure.self) { _ = try Expression(deep) }
    #expect(throws: Failure.self) { _ = try Expression(String(repeating: "not ", count: 9_999)) }
    let long = String(repeating: "exists and ", count: 10_000) + "exists"
    #expect(try Expression(long).holds(for: 1))
  }

  @Test(arguments: 0..<40) func `random expressions mean what they were made of`(
    seed: UInt64
  ) throws {
    var random = Randomness(state: seed)
    for _ in 0..<200 {
      let made = random.expression(depth: 4)
      #expect(try Expression(made.text) == made.expression, "\(made.text)")
    }
  }

  @Test(arguments: 0..<40) func `random texts are read or refused at a place inside them`(
    seed: UInt64
  ) {
    var random = Randomness(state: seed)
    let pieces = [
      "(", ")", "and", "or", "not", "exists", "missing", "==", "!=", "<", "<=", ">", "contains",
      "/a", "/", "/a~1", "/~", "1", "-1.5e3", "\"x\"", "\"", "{", "}", "[", "]", ":", ",", "\\",
      "ä",
      " ", "\n", "\u{0}", "=", "true", "null", "1e999", "word",
    ]
    for _ in 0..<500 {
      let text = (0..<random.below(12)).map { _ in
        pieces[random.below(pieces.count)] + (random.below(3) == 0 ? "" : " ")
      }.joined()
      do throws(Failure) {
        let expression = try Expression(text)
        _ = expression.holds(for: nil)
        _ = expression.holds(for: value)
      } catch {
        let place = error.message.split(separator: "at byte ").last.flatMap {
          Int($0.prefix { $0.isNumber })
        }
        #expect(
          place.map { (0...text.utf8.count).contains($0) } == true, "\(text): \(error.message)")
      }
    }
  }
}

/// Random expressions (SplitMix64); the same seed makes the same ones.
private struct Randomness {
  var state: UInt64

  mutating func below(_ bound: Int) -> Int {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return Int((mixed ^ (mixed >> 31)) % UInt64(bound))
  }

  private mutating func value() -> (text: String, value: JSON) {
    let values: [(String, JSON)] = [
      ("1", 1), ("-2.5", -2.5), ("web", "web"), ("\"a ) b\"", "a ) b"), ("null", nil),
      ("[1,\"]\"]", [1, "]"]), ("{\"a\":{}}", ["a": [:]]), ("\"\\\"\"", "\""), ("and", "and"),
      ("true", true), ("v1.2", "v1.2"),
    ]
    return values[below(values.count)]
  }

  private mutating func test() -> (text: String, test: Expression.Test) {
    let (text, value) = value()
    return switch below(9) {
    case 0: ("exists", .exists)
    case 1: ("missing", .missing)
    case 2: ("== " + text, .equals(value))
    case 3: ("!= " + text, .differs(value))
    case 4: ("contains " + text, .contains(value))
    case let kind:
      (
        Expression.Comparison.allCases[kind - 5].rawValue + " " + text,
        .compares(Expression.Comparison.allCases[kind - 5], value)
      )
    }
  }

  mutating func expression(depth: Int) -> (text: String, expression: Expression) {
    switch depth > 0 ? below(4) : 0 {
    case 1:
      let inner = expression(depth: depth - 1)
      return ("not (\(inner.text))", .not(inner.expression))
    case 2:
      let parts = (0...(1 + below(2))).map { _ in expression(depth: depth - 1) }
      return (
        parts.map { "(\($0.text))" }.joined(separator: " and "), .all(parts.map(\.expression))
      )
    case 3:
      let parts = (0...(1 + below(2))).map { _ in expression(depth: depth - 1) }
      return (
        parts.map { "( \($0.text) )" }.joined(separator: " or "), .any(parts.map(\.expression))
      )
    default:
      let (text, test) = test()
      guard below(2) == 0 else { return (text, .test(JSONPointer.root, test)) }
      return ("/a/0 " + text, .test(JSONPointer(tokens: ["a", "0"]), test))
    }
  }
}
