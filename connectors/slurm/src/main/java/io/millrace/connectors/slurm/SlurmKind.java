package io.millrace.connectors.slurm;

import io.millrace.connectors.bridge.cluster.CheckLine;
import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.cluster.ClusterKey;
import io.millrace.connectors.bridge.cluster.ClusterKeys;
import io.millrace.connectors.bridge.cluster.OutsideKind;
import io.millrace.connectors.bridge.command.CommandRunner;
import io.millrace.connectors.bridge.http.HostPort;
import io.millrace.connectors.bridge.system.OutsideSystem;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Slurm, as a cluster file calls it. */
public final class SlurmKind implements OutsideKind {

  static final String ACCOUNTING = "accounting";
  static final String REST_ACCOUNT = "rest_account";
  static final String STARTS = "starts";
  static final String TOKENS = "tokens";

  /** What writes the file of begins and ends, as it is called. */
  static final String STARTS_SCRIPT = "millrace-slurm-starts";

  private static final Pattern ADDRESS =
      Pattern.compile("https?://[A-Za-z0-9.-]{1,253}(:[0-9]{1,5})?");

  @Override
  public String name() {
    return "slurm";
  }

  @Override
  public List<ClusterKey> keys() {
    return List.of(
        ClusterKeys.resources(
            SlurmGres.FORM,
            "A generic resource of slurm.conf's GresTypes, by its count on a node."),
        ClusterKey.required(
            SlurmKeys.CLUSTER_NAME,
            new ClusterKey.TextForm(
                Pattern.compile("[A-Za-z0-9_.-]{1,40}"),
                "a name of letters, digits, dots, hyphens and underscores"),
            "The ClusterName of its slurm.conf, so that no job goes to another cluster."),
        ClusterKey.optional(
            SlurmKeys.CONFIGURATION,
            ClusterKeys.PATH,
            "The slurm.conf, where Slurm's commands do not find it by themselves."),
        ClusterKey.optional(
            ACCOUNTING,
            ClusterKeys.PATH,
            "The file that jobcomp/filetxt writes; without it ends are read from the queue only,"
                + " which forgets jobs after MinJobAge."),
        ClusterKey.optional(
            SlurmKeys.DATABASE,
            new ClusterKey.ChoiceForm(List.of("yes", "no")),
            "Whether sacct is asked for what jobs have used, for ends that the queue has forgotten"
                + " and for submissions that were not answered; without the key where"
                + " AccountingStorageType is that of slurmdbd, and rest is not given."),
        ClusterKey.optional(
            STARTS,
            ClusterKeys.PATH,
            "The file that the script millrace-slurm-starts writes as PrologSlurmctld and"
                + " EpilogSlurmctld; without it begins and ends of jobs are seen at the next"
                + " question for the queue only."),
        ClusterKey.optional(
            SlurmKeys.REST,
            new ClusterKey.TextForm(ADDRESS, "an address as https://slurm.example.org:6820"),
            "The address of slurmrestd, where there is one, which then takes all orders and"
                + " questions in place of Slurm's commands, which the check alone needs then:"
                + " https, or http on this host, since tokens go there."),
        ClusterKey.optional(
            REST_ACCOUNT,
            ClusterKeys.LISTENER,
            "With rest in http, the account that slurmrestd runs as, where that is neither root nor"
                + " this one: while slurmrestd is away anybody of this host may have its port, and"
                + " is sent nothing."),
        ClusterKey.optional(
            TOKENS,
            ClusterKeys.PATH,
            "With rest, a file of mode 0600 with lines ACCOUNT:TOKEN of 'scontrol token'; the first"
                + " account asks what anybody may ask."));
  }

  @Override
  public Optional<String> unfit(Map<String, String> values) {
    String rest = values.getOrDefault(SlurmKeys.REST, "");
    if (rest.isEmpty() != values.getOrDefault(TOKENS, "").isEmpty()) {
      return Optional.of("rest and tokens go together: slurmrestd takes no order without a token");
    }
    if (!rest.isEmpty() && ClusterFile.PLACE.equals(values.get(ClusterFile.MODE))) {
      return Optional.of("mode = place goes by commands only: slurmrestd lets nobody name hosts");
    }
    return HostPort.unfit(
        SlurmKeys.REST, rest, REST_ACCOUNT, values.containsKey(REST_ACCOUNT), "tokens");
  }

  static SlurmDoor door(ClusterFile file, CommandRunner runner) {
    return file.given(SlurmKeys.REST).isPresent()
        ? new SlurmRest(file)
        : new SlurmCommands(file, runner);
  }

  @Override
  public OutsideSystem open(ClusterFile file, CommandRunner runner) {
    return new SlurmSystem(file, runner);
  }

  @Override
  public List<String> programs() {
    return List.of("sbatch", "squeue", "scancel", "scontrol", "sinfo", "sdiag");
  }

  @Override
  public List<String> programsOfAccounts() {
    return List.of("sbatch", "scancel", "scontrol", "squeue");
  }

  @Override
  public List<String> programsOfAccounts(ClusterFile file) {
    return file.given(SlurmKeys.REST).isPresent() ? List.of() : programsOfAccounts();
  }

  @Override
  public List<CheckLine> check(ClusterFile file, CommandRunner runner) throws InterruptedException {
    return new SlurmCheck(file, runner).lines();
  }
}
