import DuxCommandLine
import Testing

struct SettingsTests {
  private static let option = Sample.maximumLine
  private static let size = ValueReader<Int>.byteSize(in: 1_024...(1 << 30))

  /// Every subset of the places a value can come from.
  @Test(arguments: 0..<8)
  func theFirstPlaceThatHasAValueDecides(_ places: Int) throws {
    let hasFlag = places & 4 != 0
    let hasVariable = places & 2 != 0
    let hasKey = places & 1 != 0
    let settings = try resolve(
      arguments: hasFlag ? ["max-line": ["2K"]] : [:],
      environment: hasVariable ? ["DUX_MAX_LINE": "3K"] : [:],
      file: hasKey ? ["max-line": ["4K"]] : [:])
    let expected = hasFlag ? 2_048 : hasVariable ? 3_072 : hasKey ? 4_096 : 1 << 20
    #expect(try settings.value(of: Self.option, as: Self.size) == expected)
    let source: SettingSource =
      hasFlag
      ? .commandLine("--max-line")
      : hasVariable
        ? .environment("DUX_MAX_LINE")
        : hasKey
          ? .configuration(key: "max-line", path: "/etc/dux.json") : .builtIn("--max-line")
    #expect(settings.source(of: Self.option) == source)
  }

  @Test
  func aBadValueIsNamedWithThePlaceItComesFrom() throws {
    let reason = "\"1\" is too small, the least is 1KiB"
    let flag = try resolve(arguments: ["max-line": ["1"]])
    #expect(message { try flag.value(of: Self.option, as: Self.size) } == "--max-line: \(reason)")
    let variable = try resolve(environment: ["DUX_MAX_LINE": "1"])
    #expect(
      message { try variable.value(of: Self.option, as: Self.size) } == "DUX_MAX_LINE: \(reason)")
    let file = try resolve(file: ["max-line": ["1"]])
    #expect(
      message { try file.value(of: Self.option, as: Self.size) }
        == "max-line in /etc/dux.json: \(reason)")
    let builtIn = try resolve()
    let small = ValueReader<Int>.byteSize(in: 0...1)
    #expect(
      message { try builtIn.value(of: Self.option, as: small) }
        == "the default of --max-line: \"1MiB\" is too large, the most is 1")
  }

  @Test
  func aBadValueThatIsOverruledDoesNotMatter() throws {
    let settings = try resolve(
      arguments: ["max-line": ["2K"]], environment: ["DUX_MAX_LINE": "nonsense"])
    #expect(try settings.value(of: Self.option, as: Self.size) == 2_048)
  }

  @Test
  func anEmptyVariableCountsAsNone() throws {
    let settings = try resolve(environment: ["DUX_MAX_LINE": ""])
    #expect(settings.source(of: Self.option) == .builtIn("--max-line"))
  }

  @Test
  func anEmptyValueOnTheCommandLineIsAValue() throws {
    let settings = try resolve(arguments: ["max-line": [""]])
    #expect(
      message { try settings.value(of: Self.option, as: Self.size) }?.hasPrefix("--max-line: \"\"")
        == true)
  }

  @Test
  func listsComeWholeFromOnePlace() throws {
    let flag = try resolve(
      arguments: ["listen": ["a:1", "b:2"]], environment: ["DUX_LISTEN": "c:3"],
      file: ["listen": ["d:4"]])
    #expect(try flag.values(of: Sample.listen, as: .text) == ["a:1", "b:2"])
    let variable = try resolve(environment: ["DUX_LISTEN": "a:1,unix:/b"])
    #expect(try variable.values(of: Sample.listen, as: .text) == ["a:1", "unix:/b"])
    let file = try resolve(file: ["listen": ["a:1", "unix:/b,c"]])
    #expect(try file.values(of: Sample.listen, as: .text) == ["a:1", "unix:/b,c"])
    let none = try resolve(file: ["listen": []])
    #expect(try none.values(of: Sample.listen, as: .text).isEmpty)
    #expect(try resolve().values(of: Sample.listen, as: .text) == ["127.0.0.1:7389"])
  }

  @Test
  func aListWhereOneValueIsWantedIsRefused() {
    #expect(
      message { try resolve(file: ["max-line": ["1K", "2K"]]) }
        == "max-line in /etc/dux.json: takes one value, not a list of 2")
    #expect(
      message { try resolve(file: ["max-line": []]) }
        == "max-line in /etc/dux.json: takes one value, not a list of 0")
  }

  @Test
  func aKeyThatNoOptionHasIsRefused() throws {
    #expect(
      message { try resolve(file: ["max-lin": ["1K"]]) }
        == "max-lin in /etc/dux.json: no setting has this name, did you mean max-line?")
    #expect(
      message { try resolve(file: ["zzz": [], "yyy": []]) }
        == "yyy in /etc/dux.json: no setting has this name")
    _ = try resolve(file: ["server": ["a:1"]], alsoKnown: [Sample.server])
  }

  @Test
  func aFlagIsOnOffOrRefused() throws {
    #expect(try !resolve().isOn(Sample.verbose))
    #expect(try resolve(arguments: ["verbose": ["true"]]).isOn(Sample.verbose))
    #expect(try resolve(environment: ["DUX_VERBOSE": "yes"]).isOn(Sample.verbose))
    let overruled = try resolve(arguments: ["verbose": ["false"]], file: ["verbose": ["true"]])
    #expect(try !overruled.isOn(Sample.verbose))
    let bad = try resolve(environment: ["DUX_VERBOSE": "loud"])
    #expect(
      message { try bad.isOn(Sample.verbose) } == "DUX_VERBOSE: \"loud\" is neither true nor false")
  }

  @Test
  func anOptionWithoutAnyValueIsMissingOnlyWhereItIsRequired() throws {
    let settings = try resolve()
    #expect(try settings.optionalValue(of: Sample.durability, as: .text) == nil)
    #expect(
      message { try settings.value(of: Sample.durability, as: .text) }
        == "--durability: is required")
  }

  @Test
  func aCommandLineAndItsSettingsFitTogether() throws {
    let invocation = try Sample.program.parse(["watch", "/", "-s", "a:1", "--verbose=no"])
    let settings = try Settings.resolve(
      options: invocation.options, arguments: invocation.given, environment: [:], configuration: nil
    )
    #expect(try settings.value(of: Sample.server, as: .text) == "a:1")
    #expect(try !settings.isOn(Sample.verbose))
    #expect(settings.source(of: Sample.verbose) == .commandLine("--verbose"))
  }

  private func resolve(
    arguments: [String: [String]] = [:], environment: [String: String] = [:],
    file: [String: [String]]? = nil, alsoKnown: [Option] = []
  ) throws -> Settings {
    try Settings.resolve(
      options: Sample.daemon.options, arguments: arguments, environment: environment,
      configuration: file.map { ConfigurationFile(path: "/etc/dux.json", values: $0) },
      alsoKnown: alsoKnown)
  }

  private func message<Value>(_ body: () throws -> Value) -> String? {
    do {
      _ = try body()
      return nil
    } catch {
      return "\(error)"
    }
  }
}
