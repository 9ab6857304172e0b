package io.millrace.ops.e2e;

import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.testkit.PeerScript;
import io.millrace.ops.faults.evidence.OutsideAccount;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A real OAR of this machine, under a root of its own, with its REST API; only root can. */
final class OarPeer implements AutoCloseable {

  static final String CLUSTER = "c3";

  /** What its host is called under its root. */
  static final String NODE = "localhost@" + CLUSTER;

  private final PeerScript script;

  private OarPeer(PeerScript script) {
    this.script = script;
  }

  /**
   * Starts it with an account for a user, whose password is his name; tells loudly where it cannot
   * be had.
   */
  static Optional<OarPeer> up(Account user) throws IOException, InterruptedException {
    PeerScript script = PeerScript.of("oar.sh", Map.of());
    OutsideAnswer answer = script.call("up", user.name());
    if (answer.isWhole() && answer.status() == PeerScript.ABSENT) {
      System.out.println("e2e: SKIPPED with an OAR: " + answer.complaint().strip());
      return Optional.empty();
    }
    if (!answer.isGood()) {
      throw new IOException("oar.sh: " + answer.trouble());
    }
    return Optional.of(new OarPeer(script));
  }

  /** Writes its cluster file. */
  static Path file(Site site, Path spool, Account user) throws IOException {
    Path passwords =
        Files.createFile(
            site.folder().resolve("oar-passwords"),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(passwords, user.name() + ":" + user.name() + "\n");
    return Files.write(
        site.folder().resolve(CLUSTER + ".properties"),
        List.of(
            "name = " + CLUSTER,
            "system = oar",
            "spool = " + spool,
            "as = sudo",
            "url = http://127.0.0.1:6668/oarapi",
            "credentials = " + passwords,
            "best_effort = campaigns",
            "user." + user.name() + " = " + user.name()));
  }

  /** What OAR's own database has of the jobs of an account. */
  List<OutsideAccount> accounts(Account account) throws IOException, InterruptedException {
    String question =
        "select job_name, job_id, state, coalesce(exit_code, -1), stop_time from jobs"
            + " where job_user = '%s'".formatted(account.name());
    OutsideAnswer answer =
        script.call("run", "su", "postgres", "-c", "psql -qAt -F ' ' oar -c \"" + question + "\"");
    if (!answer.isGood()) {
      throw new IOException("oar.sh: " + answer.trouble());
    }
    return OutsideAccounts.ofOar(answer.out());
  }

  @Override
  public void close() throws IOException, InterruptedException {
    OutsideAnswer answer = script.call("down");
    if (!answer.isGood()) {
      throw new IOException("oar.sh: " + answer.trouble());
    }
  }
}
