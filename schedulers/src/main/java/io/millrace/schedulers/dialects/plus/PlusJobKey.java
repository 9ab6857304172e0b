package io.millrace.schedulers.dialects.plus;

import io.millrace.schedulers.core.policy.JobSequence;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The keys of JobSortKey, and what they are as keys of {@code job_sort_key}. */
public enum PlusJobKey {
  PRIORITY("JobPriority", JobSequence.JOB_PRIORITY, true, "the highest Priority (qsub -p) first"),
  SUBMITTED("SubmitTime", JobSequence.SUBMISSION, false, "who was submitted first"),
  FEWEST_CPUS("LeastCPURequested", "ncpus", false, "who asks for the fewest processors"),
  MOST_CPUS("MostCPURequested", "ncpus", true, "who asks for the most processors"),
  FEWEST_NODES("LeastNodeRequested", JobSequence.CHUNKS, false, "who asks for the fewest nodes"),
  MOST_NODES("MostNodeRequested", JobSequence.CHUNKS, true, "who asks for the most nodes"),
  SHORTEST("LeastTimeRequested", "walltime", false, "who asks for the least time"),
  LONGEST("MostTimeRequested", "walltime", true, "who asks for the most time"),
  QUEUE_PRIORITY(
      "QueuePriority", JobSequence.QUEUE_PRIORITY, true, "the queue of the highest Priority first"),
  TURNS(
      "QueueRoundRobin",
      JobSequence.QUEUE_TURN,
      false,
      "queues take turns, one job each, the one first that had none for longest"),
  BY_QUEUE(
      "ByQueue",
      JobSequence.QUEUE_ORDER,
      false,
      "queue after queue, in the order in which they were created"),
  OWNER("OwnersName", JobSequence.USER, true, "the users of OwnersOrder first, in its order"),
  GROUP("OwnersGroup", JobSequence.GROUP, true, "the groups of GroupsOrder first, in its order"),
  HOST(
      "OwnersHost",
      JobSequence.HOST,
      true,
      "jobs from the hosts of HostsOrder first, in its order");

  private final String word;
  private final String key;
  private final boolean high;
  private final String meaning;

  PlusJobKey(String word, String key, boolean high, String meaning) {
    this.word = word;
    this.key = key;
    this.high = high;
    this.meaning = meaning;
  }

  /** Its name in the file. */
  public String word() {
    return word;
  }

  /** Which jobs come first by it. */
  public String meaning() {
    return meaning;
  }

  /** The option that lists whom it prefers; empty for a key that needs no list. */
  public Optional<PlusOption> list() {
    return switch (this) {
      case OWNER -> Optional.of(PlusOption.OWNERS);
      case GROUP -> Optional.of(PlusOption.GROUPS);
      case HOST -> Optional.of(PlusOption.HOSTS);
      default -> Optional.empty();
    };
  }

  /** The key that says the opposite, so that it decides nothing after this one. */
  Optional<PlusJobKey> opposite() {
    return Arrays.stream(values()).filter(it -> it.key.equals(key) && it.high != high).findFirst();
  }

  /**
   * The key as one of {@code job_sort_key}.
   *
   * @param names whom it prefers; empty where it needs no list
   */
  String attribute(List<String> names) {
    String behind = names.isEmpty() ? "" : "=" + String.join(":", names);
    return key + behind + (high ? " HIGH" : " LOW");
  }

  static Optional<PlusJobKey> named(String word) {
    return Arrays.stream(values()).filter(it -> it.word.equals(word)).findFirst();
  }

  static List<String> words() {
    return Arrays.stream(values()).map(PlusJobKey::word).toList();
  }
}
