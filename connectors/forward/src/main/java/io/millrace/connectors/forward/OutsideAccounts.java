package io.millrace.connectors.forward;

import io.millrace.connectors.bridge.cluster.ClusterCheck;
import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.command.CommandRunner;
import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.files.OutsideFile;
import io.millrace.connectors.bridge.files.OutsideFiles;
import io.millrace.connectors.local.run.RefusedRun;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** Whose jobs the runs of users become: by the table of the cluster file, and nobody else's. */
final class OutsideAccounts {

  private static final Path LOCAL = Path.of("/etc/passwd");
  private static final int LOCAL_BYTES = 1 << 20;

  /** Accounts that are looked for to find out whether a directory knows anybody. */
  private static final int OTHERS_MOST = 5;

  /** How long it is believed that an account is there and may have jobs: many come at once. */
  private static final long KNOWN_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final ClusterFile file;
  private final CommandRunner runner;

  /** When accounts were found to be good. */
  private final Map<String, Long> known = new ConcurrentHashMap<>();

  OutsideAccounts(ClusterFile file, CommandRunner runner) {
    this.file = file;
    this.runner = runner;
  }

  /**
   * The account of a user there.
   *
   * @throws RefusedRun when he has none, or it is one of the system
   * @throws IOException when nobody can say now
   */
  String of(String user) throws IOException, InterruptedException {
    String account = file.users().get(user);
    if (account == null) {
      throw refused("user " + user + " has no account in cluster " + file.name());
    }
    Long found = known.get(account);
    if (found != null && System.nanoTime() - found < KNOWN_NANOS) {
      return account;
    }
    known.remove(account);
    OutsideAnswer id = number(account);
    if (!id.isWhole()) {
      throw new IOException("who " + account + " is cannot be told: " + id.trouble());
    }
    String said = id.out().strip();
    if (!id.isGood() || !said.matches("[0-9]{1,10}")) {
      if (mayBeAway(account)) {
        throw new IOException(
            "who " + account + " is cannot be told: the directory of accounts there knows nobody");
      }
      throw refused("there is no account " + account + ", which is " + user + "'s there");
    }
    if (Long.parseLong(said) < ClusterCheck.UID_LEAST) {
      throw refused(
          "account "
              + account
              + " of cluster "
              + file.name()
              + " has the uid "
              + said
              + ": those below "
              + ClusterCheck.UID_LEAST
              + " get no jobs");
    }
    known.put(account, System.nanoTime());
    return account;
  }

  private OutsideAnswer number(String account) throws InterruptedException {
    return runner.run(file.commands(Map.of()).own(List.of("/usr/bin/id", "-u", "--", account)));
  }

  /**
   * Whether accounts come from a directory which may be down: it knows none of the others either.
   * Runs of those wait then, which could not be begun.
   */
  private boolean mayBeAway(String account) throws IOException, InterruptedException {
    OutsideFiles files = runner.files();
    if (files.hasAllAccounts()) {
      return false;
    }
    String local = local(files);
    List<String> others =
        file.users().values().stream()
            .distinct()
            .filter(it -> !it.equals(account) && !local.contains("\n" + it + ":"))
            .limit(OTHERS_MOST)
            .toList();
    for (String other : others) {
      if (number(other).isGood()) {
        return false;
      }
    }
    return true;
  }

  /** The accounts of the host itself, each at the begin of a line. */
  private static String local(OutsideFiles files) throws IOException {
    try (OutsideFile in = files.open(LOCAL)) {
      return "\n" + new String(in.read(0, LOCAL_BYTES), StandardCharsets.UTF_8);
    } catch (NoSuchFileException e) {
      return "";
    }
  }

  private static RefusedRun refused(String why) {
    return new RefusedRun(RefusedRun.BAD_OWNER, why);
  }
}
