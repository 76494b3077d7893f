import DuxCommandLine
import DuxJSON
import DuxProtocol

/// `dux version`: which program this is.
enum VersionCommand {
  static let tool = Tool(
    command: Command(
      name: "version", summary: "Print the version of this program and of its protocol.",
      discussion: """
        The daemon's own is in 'dux status'. With --json it prints \
        {"protocol":1,"version":"…"}.
        """,
      examples: [Example("dux version", summary: "Print the version")])
  ) { (call) throws(Failure) in
    if call.isJSON {
      let json: JSON = [
        "protocol": .integer(ProtocolVersion.current), "version": .string(Release.version),
      ]
      call.output.print(json.description)
    } else {
      call.output.print("dux \(Release.version), protocol \(ProtocolVersion.current)")
    }
    call.output.flush()
    return .success
  }
}
