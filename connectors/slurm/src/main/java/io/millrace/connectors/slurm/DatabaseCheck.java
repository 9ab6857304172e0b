package io.millrace.connectors.slurm;

import io.millrace.connectors.bridge.cluster.CheckLine;
import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.command.CommandRunner;
import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.command.SudoWords;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.Told;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** Looks whether a database that a Slurm has can be asked. */
final class DatabaseCheck {

  private final ClusterFile file;
  private final SlurmDatabase database;

  DatabaseCheck(ClusterFile file, CommandRunner runner) {
    this.file = file;
    this.database = new SlurmDatabase(file, runner, InstantSource.system());
  }

  /**
   * What is to be said; nothing where there is none.
   *
   * @param settings of the cluster
   */
  List<CheckLine> lines(Map<String, String> settings) throws InterruptedException {
    boolean isThere = SlurmDatabase.isIn(settings);
    if (!database.given().orElse(isThere)) {
      return List.of();
    }
    if (!isThere) {
      return List.of(
          CheckLine.wrong(
              "Slurm keeps its accounting in no database",
              "set AccountingStorageType=accounting_storage/slurmdbd in slurm.conf, or leave"
                  + " 'database' out"));
    }
    List<OutsideId> some = List.of(OutsideId.of(1));
    if (database.jobs(some) instanceof Told.Nothing<List<SacctJob>> nothing) {
      return List.of(
          CheckLine.wrong(
              "the database is not told: ", nothing.why(), "see slurmdbd, or set 'database = no'"));
    }
    List<CheckLine> lines = new ArrayList<>();
    for (String account : new TreeSet<>(file.users().values())) {
      OutsideAnswer said = database.asked(account, some);
      if (SudoWords.refused(said)) {
        lines.add(
            CheckLine.wrong(
                "sacct is not started as " + account + ": ",
                said.trouble(),
                "add "
                    + file.program("sacct")
                    + " to its line of sudo, with 'starter' install that of this distribution, or"
                    + " set 'database = no'"));
      }
    }
    if (lines.isEmpty()) {
      boolean measures = !settings.getOrDefault("JobAcctGatherType", "").endsWith("/none");
      lines.add(
          CheckLine.good(
              measures
                  ? "accounting by sacct, with what jobs have used"
                  : "accounting by sacct; JobAcctGatherType measures no memory of jobs"));
    }
    return lines;
  }
}
