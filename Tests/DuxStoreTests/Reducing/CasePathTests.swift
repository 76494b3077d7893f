import Testing

@testable import DuxStore

private protocol Shape: Sendable {}
extension Int: Shape {}
extension String: Shape {}

private indirect enum Kind<Payload: Sendable>: Sendable {
  case first(Int)
  case second(Int)
  case optional(Int?)
  case nested(Inner)
  case labelled(value: Int)
  case row(id: String, action: Inner)
  case pair(Int, String)
  case tuple((Int, String))
  case shape(any Shape)
  case anything(any Sendable)
  case generic(Payload)
  case function(@Sendable () -> Int)
  case array([Int])
  case nothing
  case nothingElse
}

private enum Inner: Equatable, Sendable { case one, two(Int) }
private enum Single: Sendable { case only(String) }
private enum Bare: Sendable { case a, b, c }

@Suite struct CasePathTests {
  @Test func findsThePayloadOfItsCaseAmongCasesOfOneType() {
    let first = CasePath(Kind<Int>.first)
    let second = CasePath(Kind<Int>.second)
    for _ in 0..<3 {
      #expect(first.extract(.first(1)) == 1)
      #expect(first.extract(.second(1)) == nil)
      #expect(second.extract(.second(2)) == 2)
      #expect(second.extract(.first(2)) == nil)
      #expect(first.extract(.labelled(value: 3)) == nil)
      #expect(first.extract(.nothing) == nil)
    }
  }

  @Test func tellsOptionalPayloadsFromTheirAbsence() {
    let path = CasePath(Kind<Int>.optional)
    #expect(path.extract(.optional(nil)) == .some(nil))
    #expect(path.extract(.optional(4)) == .some(4))
    #expect(path.extract(.first(4)) == nil)
    #expect(path.extract(.nothing) == nil)
    #expect(CasePath(Kind<Int?>.generic).extract(.generic(nil)) == .some(nil))
  }

  @Test func findsNestedLabelledAndSeveralPayloads() throws {
    #expect(CasePath(Kind<Int>.nested).extract(.nested(.two(1))) == .two(1))
    #expect(CasePath(Kind<Int>.nested).extract(.row(id: "a", action: .one)) == nil)
    #expect(CasePath(Kind<Int>.labelled(value:)).extract(.labelled(value: 5)) == 5)
    let row = try #require(
      CasePath(Kind<Int>.row(id:action:)).extract(.row(id: "a", action: .two(6))))
    #expect(row == ("a", .two(6)))
    #expect(CasePath(Kind<Int>.row(id:action:)).extract(.pair(1, "a")) == nil)
    let pair = try #require(CasePath(Kind<Int>.pair).extract(.pair(1, "a")))
    #expect(pair == (1, "a"))
    #expect(CasePath(Kind<Int>.pair).extract(.tuple((1, "a"))) == nil)
    let tuple = try #require(CasePath(Kind<Int>.tuple).extract(.tuple((1, "a"))))
    #expect(tuple == (1, "a"))
    #expect(CasePath(Kind<Int>.array).extract(.array([1, 2])) == [1, 2])
  }

  @Test func findsExistentialAndGenericPayloads() throws {
    let shape = CasePath(Kind<Int>.shape)
    #expect(shape.extract(.shape(7)) as? Int == 7)
    #expect(shape.extract(.shape("seven")) as? String == "seven")
    #expect(shape.extract(.first(7)) == nil)
    #expect(shape.extract(.anything(7)) == nil)
    #expect(CasePath(Kind<Int>.anything).extract(.anything("x")) as? String == "x")
    #expect(CasePath(Kind<String>.generic).extract(.generic("x")) == "x")
    #expect(CasePath(Kind<Int>.generic).extract(.first(7)) == nil)
    #expect(CasePath(Kind<any Shape>.generic).extract(.generic("x")) as? String == "x")
  }

  @Test func findsCasesWithoutPayload() {
    let path = CasePath(case: Kind<Int>.nothing)
    #expect(path.extract(.nothing) != nil)
    #expect(path.extract(.nothingElse) == nil)
    #expect(path.extract(.first(1)) == nil)
    #expect(CasePath(case: Bare.b).extract(.b) != nil)
    #expect(CasePath(case: Bare.b).extract(.c) == nil)
    #expect(CasePath(Single.only).extract(.only("x")) == "x")
    #expect(CasePath(Optional<Int>.some).extract(3) == 3)
    #expect(CasePath(Optional<Int>.some).extract(nil) == nil)
  }

  @Test func embedsAndNamesItsCase() throws {
    let path = CasePath(Kind<Int>.row(id:action:))
    let value = path.embed(("a", .one))
    #expect(path.name(in: value) == "row")
    #expect(path.name(in: .nothing) == nil)
    #expect(CasePath(case: Kind<Int>.nothing).name(in: .nothing) == "nothing")
  }

  @Test func doesWhatItIsToldWhenSpelledOut() {
    let path = CasePath<Kind<Int>, Int>(name: "first", embed: { .first($0) }) {
      if case .first(let value) = $0 { value } else { nil }
    }
    #expect(path.name == "first")
    #expect(path.extract(path.embed(1)) == 1)
    #expect(path.extract(.second(1)) == nil)
  }

  @Test func reportsWhatIsNoConstructor() {
    #expect(issues { _ = CasePath<Kind<Int>, Int> { .nested(.two($0)) }.embed(1) }.count == 1)
    #expect(issues { _ = CasePath<Int, Int> { $0 + 1 }.extract(1) }.count == 1)
    // A function taken out of a mirror can't be called.
    #expect(issues { _ = CasePath(Kind<Int>.function).extract(.function { 8 }) }.count == 1)
  }

  @Test func tagsTellCasesApartInEveryLayout() {
    #expect(Set([Bare.a, .b, .c].map { EnumTag.of($0) }).count == 3)
    #expect(EnumTag.of(Bare.a) == EnumTag.of(Bare.a))
    #expect(EnumTag.of(Single.only("x")) == EnumTag.of(Single.only("y")))
    #expect(EnumTag.of(Int?.some(1)) != EnumTag.of(Int?.none))
    let kinds: [Kind<String>] = [
      .first(1), .second(1), .optional(nil), .nested(.one), .labelled(value: 1),
      .row(id: "", action: .one), .pair(1, ""), .shape(1), .generic(""), .nothing, .nothingElse,
    ]
    #expect(Set(kinds.map { EnumTag.of($0) }).count == kinds.count)
    #expect(EnumTag.of(1) == nil)
    #expect(EnumTag.of("a") == nil)
  }

  @Test func servesManyThreadsAtOnce() async {
    await withTaskGroup(of: Bool.self) { group in
      for task in 0..<8 {
        group.addTask {
          (0..<500).allSatisfy { number in
            let value: Kind<UInt8> = number % 2 == 0 ? .first(number) : .second(number)
            let found = CasePath(Kind<UInt8>.first).extract(value)
            return found == (number % 2 == 0 ? number : nil) && task >= 0
          }
        }
      }
      for await isRight in group { #expect(isRight) }
    }
  }
}
