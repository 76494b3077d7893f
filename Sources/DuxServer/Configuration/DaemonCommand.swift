package import DuxCommandLine
import DuxNetwork
import DuxProtocol
import DuxStorage

/// The daemon's command line, environment and configuration file, as data.
package struct DaemonCommand: Sendable {
  private let app: Option
  /// The program as data, for parsing and for its help.
  package let command: Command

  /// The command of a daemon that can serve these apps, the first unless another is asked for.
  package init(apps: [String]) {
    app = Option(
      "app", .value("NAME"), summary: "App to serve: " + apps.joined(separator: ", "),
      defaultValue: apps.first, variable: "DUX_APP", key: "app")
    command = Self.command(app: app)
  }

  private static func command(app: Option) -> Command {
    Command(
      name: "duxd",
      summary: "Own one JSON state and share it live with many programs",
      discussion: """
        The command line goes before the environment, that before the configuration file. Of the log, \
        an action is let go when it is beyond any of the three limits and a later checkpoint holds \
        its effect.

        Exit status: 0 stopped in good order; 64 a setting is wrong; 65 the data is damaged, another \
        app's or of a newer format; 69 it can't listen; 74 the data folder can't be used; 75 another \
        daemon uses it.
        """,
      options: [
        data, listen, socket, app, durability, maxLine, maxDepth, maxState, maxClients, heartbeat,
        retainCount, retainAge, retainBytes, config, logLevel,
      ],
      examples: [
        Example("duxd", summary: "Serve the data of this user, on this machine only"),
        Example("duxd --data ./state --listen 127.0.0.1:0", summary: "Data and port of its own"),
        Example("duxd --listen 0.0.0.0:7389 --socket none", summary: "Serve the whole network"),
      ])
  }

  private static let data = Option(
    "data", .value("DIR"), summary: "Folder of the data; made where it is missing",
    defaultValue: UserFolders.dataText, variable: "DUX_DATA", key: "data")
  private static let listen = Option(
    "listen", .values("HOST:PORT"),
    summary: "TCP address to listen on; port 0 picks one and prints it; may be repeated",
    defaultValue: "127.0.0.1:7389", variable: "DUX_LISTEN", key: "listen")
  private static let socket = Option(
    "socket", .value("PATH"),
    summary: "Unix socket to listen on, mode 0600; \"none\" for none",
    defaultValue: UserFolders.socketText, variable: "DUX_SOCKET", key: "socket")
  private static let durability = Option(
    "durability", .value("MODE"),
    summary: "full: on disk before anyone sees it; normal: the last moments may be lost with the"
      + " power, not with the process",
    defaultValue: "full", variable: "DUX_DURABILITY", key: "durability")
  private static let maxLine = Option(
    "max-line", .value("BYTES"), summary: "Longest line taken from a client",
    defaultValue: "1MiB", variable: "DUX_MAX_LINE", key: "max-line")
  private static let maxDepth = Option(
    "max-depth", .value("N"), summary: "Levels of nesting the state may have",
    defaultValue: "128", variable: "DUX_MAX_DEPTH", key: "max-depth")
  private static let maxState = Option(
    "max-state", .value("BYTES"), summary: "Largest state, as canonical JSON",
    defaultValue: "256MiB", variable: "DUX_MAX_STATE", key: "max-state")
  private static let maxClients = Option(
    "max-clients", .value("N"), summary: "Connections served at a time", defaultValue: "10000",
    variable: "DUX_MAX_CLIENTS", key: "max-clients")
  private static let heartbeat = Option(
    "heartbeat", .value("DURATION"),
    summary:
      "How often a quiet subscription hears something; who says nothing of itself for two and"
      + " a half of these is shown as gone",
    defaultValue: "15s", variable: "DUX_HEARTBEAT", key: "heartbeat")
  private static let retainCount = Option(
    "retain-count", .value("N"), summary: "Actions kept in the log for resuming and looking back",
    defaultValue: "1000000", variable: "DUX_RETAIN_COUNT", key: "retain-count")
  private static let retainAge = Option(
    "retain-age", .value("DURATION"), summary: "How long an action is kept; \"forever\" for ever",
    defaultValue: "forever", variable: "DUX_RETAIN_AGE", key: "retain-age")
  private static let retainBytes = Option(
    "retain-bytes", .value("BYTES"), summary: "Bytes of actions kept", defaultValue: "1GiB",
    variable: "DUX_RETAIN_BYTES", key: "retain-bytes")
  private static let config = Option(
    "config", .value("FILE"), summary: "JSON object of the settings that have a key here",
    variable: "DUX_CONFIG")
  private static let logLevel = Option(
    "log-level", .value("LEVEL"),
    summary: "What to say on standard error: error, warning, info"
      + " or debug",
    defaultValue: "info", variable: "DUX_LOG_LEVEL", key: "log-level")

  /// Reads all settings.
  ///
  /// - Parameters:
  ///   - invocation: the command line, parsed by ``command``.
  ///   - environment: the process's environment.
  ///   - readConfiguration: reads the configuration file at a path.
  /// - Returns: what to start the daemon with.
  /// - Throws: ``SettingError`` naming the setting, where it comes from and what would be right.
  package func configuration(
    _ invocation: Invocation, environment: [String: String],
    readConfiguration: (String) throws(SettingError) -> ConfigurationFile
  ) throws(SettingError) -> DaemonConfiguration {
    let variable = environment["DUX_CONFIG"].flatMap { $0.isEmpty ? nil : $0 }
    let path = invocation.given[Self.config.name]?.last ?? variable
    var file: ConfigurationFile?
    if let path { file = try readConfiguration(path) }
    let settings = try Settings.resolve(
      options: command.options, arguments: invocation.given, environment: environment,
      configuration: file)
    let dataFolder = try settings.value(of: Self.data, as: UserFolders(environment).dataFolder)
    let sockets = try Self.sockets(settings, environment, dataFolder)
    return DaemonConfiguration(
      data: dataFolder,
      endpoints: try settings.values(of: Self.listen, as: .tcpEndpoint) + sockets.required,
      endpointIfFree: sockets.ifFree,
      app: try settings.value(of: app, as: .text),
      durability: try settings.value(of: Self.durability, as: .choice(["full", "normal"])) == "full"
        ? .full : .normal,
      limits: Limits(
        maximumLineBytes: try settings.value(
          of: Self.maxLine, as: .byteSize(in: 1_024...(64 << 20))),
        maximumDepth: try settings.value(of: Self.maxDepth, as: .count(in: 1...500)),
        maximumStateBytes: try settings.value(
          of: Self.maxState, as: .byteSize(in: 1_024...(900 << 20)))),
      maximumClients: try settings.value(of: Self.maxClients, as: .count(in: 1...1_000_000)),
      heartbeatMs: Int(
        clamping: try settings.value(
          of: Self.heartbeat, as: .duration(in: .seconds(1)...(.seconds(600)))
        ).milliseconds),
      retention: try Self.retention(settings),
      logLevel: LogLevel(
        rawValue: try settings.value(
          of: Self.logLevel, as: .choice(LogLevel.allCases.map(\.rawValue)))) ?? .info)
  }

  /// The socket that was asked for must be had; the one that nobody asked for is left to another
  /// daemon that has it.
  private static func sockets(
    _ settings: Settings, _ environment: [String: String], _ dataFolder: String
  ) throws(SettingError) -> (required: [Endpoint], ifFree: Endpoint?) {
    guard let source = settings.source(of: socket), case .builtIn = source else {
      let path = try settings.value(of: socket, as: .text)
      return (path == "none" ? [] : [.unix(path: path)], nil)
    }
    return ([], UserFolders(environment).socket(besides: dataFolder))
  }

  private static func retention(_ settings: Settings) throws(SettingError) -> RetentionLimits {
    RetentionLimits(
      count: Int64(try settings.value(of: retainCount, as: .count(in: 0...Int.max))),
      ageMs: try settings.value(of: retainAge, as: .age),
      bytes: Int64(try settings.value(of: retainBytes, as: .byteSize(in: 0...Int.max))))
  }
}
