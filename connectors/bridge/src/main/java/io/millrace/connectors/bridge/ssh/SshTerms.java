package io.millrace.connectors.bridge.ssh;

import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.cluster.TransportKeys;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Where a connection goes, and as whom.
 *
 * @param place host and port
 * @param account there
 * @param key file with its private key
 * @param knownHosts file with the key of the host
 * @param channels that it may have at once
 * @param limit of the time in which it must stand, and in which a question about a file is answered
 */
record SshTerms(
    SshPlace place, String account, Path key, Path knownHosts, int channels, Duration limit) {

  /** An sshd. */
  record SshPlace(String host, int port) {

    @Override
    public String toString() {
      return port == USUAL_PORT ? host : host + " port " + port;
    }
  }

  private static final int USUAL_PORT = 22;

  static SshTerms of(ClusterFile file) {
    return new SshTerms(
        new SshPlace(file.text(TransportKeys.HOST), (int) file.number(TransportKeys.PORT)),
        file.text(TransportKeys.ACCOUNT),
        Path.of(file.text(TransportKeys.KEY)),
        Path.of(file.text(TransportKeys.KNOWN_HOSTS)),
        (int) file.number(TransportKeys.CHANNELS),
        Duration.ofSeconds(file.number("command_limit_s")));
  }

  @Override
  public String toString() {
    return account + " on " + place;
  }
}
