import DuxCommandLine
import ExampleHTTP
import LoginServer

/// The login server's program.
@main
struct Program {
  private static let port = ServerProgram.port(8392)
  private static let accessLifetime = Option(
    "access-lifetime", .value("DURATION"), summary: "How long an access token lasts",
    defaultValue: "1h")
  private static let refreshLifetime = Option(
    "refresh-lifetime", .value("DURATION"), summary: "How long a refresh token lasts",
    defaultValue: "7d")
  private static let data = Option(
    "data", .value("FILE"), summary: "Keeps the users; left out, they are in memory only")

  private static let command = Command(
    name: "dux-login-server",
    summary: "Serve sign-up, sign-in and tokens over HTTP",
    discussion: """
      POST /api/emailSignup and /api/emailSignin with {"email","password"}, POST /api/refreshToken \
      with {"refreshToken"}, GET /api/me with 'Authorization: Bearer TOKEN'. POST /api/ticket with \
      {"password","challenge"} gives a ticket: {"email","ticket","verifier"} then stands for \
      {"email","password"}, once and within a minute. Success is \
      {"code":0,"data":…}; a refusal is {"code":…,"message":…} with one of these codes:

      \(LoginFailure.allCases.map { "\($0.rawValue) \($0.message)" }.joined(separator: "; ")).

      \(ServerProgram.exitStatuses)
      """,
    options: [ServerProgram.host, port, accessLifetime, refreshLifetime, data],
    examples: [
      Example("dux-login-server", summary: "Serve on this machine, users in memory"),
      Example(
        "dux-login-server --access-lifetime 10s --data users.json",
        summary: "See tokens expire, keep the users"),
    ])

  static func main() async {
    await ServerProgram.run(command) { settings in
      let lifetime = ValueReader.duration(in: .milliseconds(1) ... .seconds(3_650 * 86_400))
      var chosen = LoginServer.Settings()
      chosen.accessLifetime = try settings.value(of: accessLifetime, as: lifetime)
      chosen.refreshLifetime = try settings.value(of: refreshLifetime, as: lifetime)
      chosen.file = try settings.optionalValue(of: data, as: .text)
      return try LoginServer(chosen).start(
        host: settings.value(of: ServerProgram.host, as: .text),
        port: UInt16(settings.value(of: port, as: .count(in: 0...65_535))))
    }
  }
}
