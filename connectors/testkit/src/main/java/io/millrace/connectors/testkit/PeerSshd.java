package io.millrace.connectors.testkit;

import io.millrace.connectors.bridge.command.OutsideAnswer;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Debian's sshd, which a test starts and stops, and an account behind it; only root can. */
public final class PeerSshd {

  private static final String HOME = "/var/spool/millrace-sshd/";

  private final PeerScript script;

  public PeerSshd() throws IOException {
    this.script = PeerScript.of("sshd.sh", Map.of());
  }

  /**
   * Starts it, after installing it where it is not there.
   *
   * @return why that cannot be done here; empty when it serves
   * @throws IOException when it does not start
   */
  public Optional<String> up() throws IOException, InterruptedException {
    OutsideAnswer answer = script.call("up");
    if (answer.isWhole() && answer.status() == PeerScript.ABSENT) {
      return Optional.of(answer.complaint().strip());
    }
    must(answer);
    return Optional.empty();
  }

  /** Breaks off all connections. */
  public void cut() throws IOException, InterruptedException {
    must(script.call("cut"));
  }

  public void down() throws IOException, InterruptedException {
    must(script.call("down"));
  }

  private static void must(OutsideAnswer answer) throws IOException {
    if (!answer.isGood()) {
      throw new IOException(answer.said());
    }
  }

  /** Lines of a cluster file that lead there. */
  public static List<String> keys() {
    return List.of(
        "transport = ssh",
        "ssh_host = 127.0.0.1",
        "ssh_port = 16842",
        "ssh_account = mrconnect",
        "ssh_key = " + HOME + "id",
        "ssh_known_hosts = " + HOME + "known");
  }
}
