import DuxNetwork
import Glibc

/// Where a daemon is.
public struct DaemonAddress: Hashable, Sendable, CustomStringConvertible {
  let endpoint: Endpoint

  /// Reads `HOST:PORT`, `[IPv6]:PORT` or `unix:PATH`.
  ///
  /// - Throws: ``ClientError/address(_:)``, naming the text and what is wrong with it.
  public init(_ text: String) throws(ClientError) {
    do throws(EndpointError) {
      endpoint = try Endpoint(text)
    } catch {
      throw .address(error.description)
    }
  }

  /// What the environment variable `DUX_CONNECT` says, else `127.0.0.1:7389`.
  ///
  /// - Throws: ``ClientError/address(_:)`` when the variable holds no address.
  public static var standard: DaemonAddress {
    get throws(ClientError) {
      let set = getenv(variable).map { String(cString: $0) } ?? ""
      do throws(ClientError) {
        return try DaemonAddress(set.isEmpty ? standardText : set)
      } catch {
        throw .address("\(variable): \(error.description)")
      }
    }
  }

  /// The environment variable that says where the daemon is.
  package static let variable = "DUX_CONNECT"
  /// Where a daemon is unless said otherwise.
  package static let standardText = "127.0.0.1:7389"

  /// The address as text.
  public var description: String { endpoint.description }
}
