package io.millrace.connectors.slurm;

import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.command.OutsideAnswer;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Whether what answers is the cluster that is meant. A slurm.conf that leads elsewhere since leaves
 * all jobs without a trace, though none of them has ended.
 */
final class SlurmName {

  static final String HIDDEN =
      "PrivateData=jobs in slurm.conf hides the jobs of others from this account";

  private final String wanted;
  private final SlurmDoor door;

  /** An address leads to one cluster; its answers say which as soon as there are jobs. */
  private final boolean asks;

  /** Whether the controller hid jobs when it was asked last. */
  private volatile boolean hides;

  /** Whether it had a database when it was asked last; empty before the first time. */
  private volatile Optional<Boolean> database = Optional.empty();

  /** What was found at the last look; null before the first one. */
  private volatile Optional<String> wrong;

  SlurmName(ClusterFile file, SlurmDoor door) {
    this.wanted = file.text(SlurmKeys.CLUSTER_NAME);
    this.door = door;
    this.asks = file.given(SlurmKeys.REST).isEmpty();
  }

  /**
   * Why an answer is not one of the cluster; empty when it is.
   *
   * @param names of the clusters that its jobs say to be of; where it has none, that is asked
   */
  Optional<String> wrong(Collection<String> names) throws InterruptedException {
    Optional<String> other = names.stream().filter(it -> !it.equals(wanted)).findFirst();
    Optional<String> found = other.map(this::text);
    if (other.isEmpty() && names.isEmpty() && asks) {
      found = asked();
    }
    wrong = found; // others look at it meanwhile
    return found;
  }

  /**
   * Why an answer is not the whole queue of the cluster; empty when it is.
   *
   * @param accounts whose jobs it shows: several are shown to nobody from whom others' are hidden
   */
  Optional<String> wrong(Collection<String> names, Collection<String> accounts)
      throws InterruptedException {
    Optional<String> other = wrong(names);
    if (other.isPresent() || !asks || accounts.size() > 1) {
      return other;
    }
    if (!names.isEmpty()) {
      other = asked();
    }
    return other.isPresent() ? other : Optional.of(HIDDEN).filter(it -> hides);
  }

  /** The same as of the last look. */
  Optional<String> wrong() throws InterruptedException {
    Optional<String> last = wrong;
    return last == null ? wrong(List.of()) : last;
  }

  /** Whether the cluster has a database, as its settings said when they were asked for last. */
  Optional<Boolean> database() {
    return database;
  }

  private Optional<String> asked() throws InterruptedException {
    OutsideAnswer said = door.ask(List.of("scontrol", "show", "config"));
    Map<String, String> settings = SlurmKeys.settings(said.out());
    String name = settings.getOrDefault("ClusterName", "");
    if (!said.isGood() || name.isEmpty()) {
      return Optional.of("scontrol show config says no ClusterName: " + said.trouble());
    }
    hides = hidesJobs(settings);
    database = Optional.of(SlurmDatabase.isIn(settings));
    return name.equals(wanted) ? Optional.empty() : Optional.of(text(name));
  }

  /** Whether an ordinary account is shown its own jobs only. */
  static boolean hidesJobs(Map<String, String> settings) {
    return List.of(settings.getOrDefault("PrivateData", "").split("[,\\s]+")).contains("jobs");
  }

  private String text(String name) {
    return "this is the cluster " + name + ", not " + wanted + ": slurm.conf leads to another one";
  }
}
