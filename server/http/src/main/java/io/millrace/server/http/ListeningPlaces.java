package io.millrace.server.http;

import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import javax.net.ssl.SSLException;

/**
 * Where a service of the cluster listens: at a Unix socket for its own host, and perhaps in TLS for
 * all hosts. All such services of a cluster show the same certificate, which who asks trusts, and
 * no other; so it names no host.
 *
 * @param socket the Unix socket
 * @param remote for all hosts; empty when there is none
 */
public record ListeningPlaces(Path socket, Optional<Remote> remote) {

  private static final String CERTIFICATE = "query.crt";
  private static final String KEY = "query.pem";
  private static final String TLS = "TLSv1.3";

  /** A place for all hosts. */
  public record Remote(InetSocketAddress address, SslContext tls) {

    /**
     * With the certificate and the key in a home.
     *
     * @throws IOException in one line when they are not there
     */
    public static Remote of(InetSocketAddress address, Path home) throws IOException {
      Path chain = certificate(home);
      Path key = key(home);
      try {
        return new Remote(
            address,
            SslContextBuilder.forServer(chain.toFile(), key.toFile()).protocols(TLS).build());
      } catch (SSLException | IllegalArgumentException e) {
        throw new IOException(
            chain + " and " + key + " are no certificate with its key: " + e.getMessage(), e);
      }
    }
  }

  /** The file of the certificate in a home. */
  public static Path certificate(Path home) {
    return home.resolve("etc/tls").resolve(CERTIFICATE);
  }

  /** The file of its key. */
  public static Path key(Path home) {
    return home.resolve("etc/tls").resolve(KEY);
  }

  /**
   * Trusts who shows the certificate that a home has, and nobody else.
   *
   * @throws IOException in one line when it has none
   */
  public static SslContext trust(Path home) throws IOException {
    Path certificate = certificate(home);
    if (!Files.isReadable(certificate)) {
      throw new IOException("there is no certificate " + certificate + " to know servers by");
    }
    try {
      return SslContextBuilder.forClient()
          .trustManager(certificate.toFile())
          // Each server of the cluster shows this one, whatever its name.
          .endpointIdentificationAlgorithm(null)
          .protocols(TLS)
          .build();
    } catch (SSLException | IllegalArgumentException e) {
      throw new IOException(certificate + " is no certificate: " + e.getMessage(), e);
    }
  }
}
