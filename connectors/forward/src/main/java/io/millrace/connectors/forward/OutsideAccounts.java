package io.millrace.connectors.forward;

import io.millrace.connectors.bridge.cluster.ClusterCheck;
import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.command.CommandRunner;
import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.local.run.RefusedRun;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** Whose jobs the runs of users become: by the table of the cluster file, and nobody else's. */
final class OutsideAccounts {

  private final ClusterFile file;
  private final CommandRunner runner;

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
    OutsideAnswer id =
        runner.run(file.commands(Map.of()).own(List.of("/usr/bin/id", "-u", "--", account)));
    if (!id.isWhole()) {
      throw new IOException("who " + account + " is cannot be told: " + id.trouble());
    }
    String said = id.out().strip();
    if (!id.isGood() || !said.matches("[0-9]{1,10}")) {
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
    return account;
  }

  private static RefusedRun refused(String why) {
    return new RefusedRun(RefusedRun.BAD_OWNER, why);
  }
}
