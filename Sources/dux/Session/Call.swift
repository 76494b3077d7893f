import DuxCommandLine
import DuxJSON
import DuxNetwork
import DuxProtocol
import Glibc

/// One call of the program: what was typed, and where its output goes.
struct Call {
  let invocation: Invocation
  let settings: Settings
  let endpoint: Endpoint
  /// The client's name.
  let client: String
  let timeout: Duration
  let isJSON: Bool
  let output: Output
  /// Standard error.
  let complaints: Output

  init(
    _ invocation: Invocation, _ environment: [String: String]
  ) throws(Failure) {
    self.invocation = invocation
    let settings = try Failure.wrapping { () throws(SettingError) in
      try Settings.resolve(
        options: invocation.options, arguments: invocation.given, environment: environment,
        configuration: nil)
    }
    self.settings = settings
    endpoint = try Failure.wrapping { () throws(SettingError) in
      try settings.value(of: GlobalOptions.connect, as: Self.endpoint)
    }
    client = try Self.value(settings, GlobalOptions.client, Self.clientName) ?? Self.uniqueName()
    timeout = try Failure.wrapping { () throws(SettingError) in
      try settings.value(
        of: GlobalOptions.timeout, as: .duration(in: .milliseconds(1)...Self.longestTimeout))
    }
    isJSON = try Failure.wrapping { () throws(SettingError) in
      try settings.isOn(GlobalOptions.json)
    }
    let color = try Self.value(
      settings, GlobalOptions.color, .choice(["auto", "always", "never"]))
    let style: Style? = ["always": .terminal, "never": .plain][color ?? "auto"]
    func open(_ descriptor: Int32) -> Output {
      Output(descriptor, terminal: .of(descriptor, environment: environment), style: style)
    }
    output = open(STDOUT_FILENO)
    self.complaints = open(STDERR_FILENO)
  }

  /// The value of an option; `nil` when it has none.
  func value<Value>(
    of option: Option, as reader: ValueReader<Value>
  ) throws(Failure) -> Value? {
    try Self.value(settings, option, reader)
  }

  /// Whether a flag is on.
  func isOn(_ option: Option) throws(Failure) -> Bool {
    try value(of: option, as: .flag) ?? false
  }

  /// What `--timeout` was given as; `nil` where it has its usual value.
  var givenTimeout: Duration? {
    invocation.given[GlobalOptions.timeout.name] == nil ? nil : timeout
  }

  /// The path given; the root where none is.
  func path() throws(Failure) -> JSONPointer {
    try PathText.read(invocation.argument("PATH") ?? "")
  }

  /// Says something beside the output, at once.
  func note(_ text: String) {
    complaints.print(complaints.style.faint("dux: " + text))
    complaints.flush()
  }

  /// Prints a value as it is asked for: for people on a terminal, else in one line.
  func printValue(_ value: JSON) {
    if output.terminal.isInteractive, !isJSON {
      for line in PrettyText(style: output.style).lines(of: value) { output.print(line) }
    } else {
      var line = value.bytes
      line.append(UInt8(ascii: "\n"))
      output.write(line)
    }
    output.flush()
  }

  private static let longestTimeout = Duration.seconds(30 * 86_400)

  private static func value<Value>(
    _ settings: Settings, _ option: Option, _ reader: ValueReader<Value>
  ) throws(Failure) -> Value? {
    try Failure.wrapping { () throws(SettingError) in
      try settings.optionalValue(of: option, as: reader)
    }
  }

  private static let endpoint = ValueReader<Endpoint> { (text) throws(ValueError) in
    do throws(EndpointError) {
      return try Endpoint(text)
    } catch {
      throw ValueError(text, "cannot be used: \(error.description)")
    }
  }

  private static let clientName = ValueReader<String> { (text) throws(ValueError) in
    guard (1...128).contains(text.utf8.count), text.printable == text else {
      throw ValueError(text, "is no name: it has 1 to 128 bytes and no control characters")
    }
    guard !text.utf8.starts(with: ReservedWords.clientPrefix.utf8) else {
      throw ValueError(text, "is no name for a client: one that begins with @ is the daemon's own")
    }
    return text
  }

  private static func uniqueName() -> String {
    var host = [CChar](repeating: 0, count: 65)
    gethostname(&host, host.count - 1)
    let name = String(
      decoding: host.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    let random = String(UInt32.random(in: .min ... .max), radix: 36)
    return "dux-\(name.printable)-\(getpid())-\(random)"
  }
}

/// The environment variables that matter.
enum Environment {
  static let names =
    ["COLUMNS", "NO_COLOR", "TERM"] + Tool.program.allOptions.compactMap(\.variable)

  static func read(_ names: [String]) -> [String: String] {
    var values: [String: String] = [:]
    for name in names {
      if let text = getenv(name) { values[name] = String(cString: text) }
    }
    return values
  }
}
