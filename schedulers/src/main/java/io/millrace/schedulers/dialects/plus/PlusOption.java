package io.millrace.schedulers.dialects.plus;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The table of options of a sched_conf. */
public enum PlusOption {
  JOB_KEYS(
      "JobSortKey",
      "keys of jobs",
      List.of(
          PlusJobKey.QUEUE_PRIORITY.word(), PlusJobKey.BY_QUEUE.word(), PlusJobKey.PRIORITY.word()),
      "By what jobs are ordered: by the first key, equal ones by the next, then by submission.",
      "Jobs come in another order."),
  NODE_KEYS(
      "NodeSortKey",
      "keys of nodes",
      List.of(),
      "By what nodes with room are ordered: by the first key, equal ones by the next, then by"
          + " name.",
      "A job gets other nodes."),
  OWNERS(
      "OwnersOrder",
      "names of users",
      List.of(),
      "Whose jobs come first where the key OwnersName decides, in this order.",
      "Jobs of these users come before those of others."),
  GROUPS(
      "GroupsOrder",
      "names of groups",
      List.of(),
      "The jobs of which groups come first where the key OwnersGroup decides, in this order.",
      "Jobs of these groups come before those of others."),
  HOSTS(
      "HostsOrder",
      "names of hosts or domains",
      List.of(),
      "Jobs that were submitted where come first where the key OwnersHost decides, in this order.",
      "Jobs from these hosts, or from hosts of these domains, come before those from others.");

  private final String word;
  private final String type;
  private final List<String> usual;
  private final String meaning;
  private final String changes;

  PlusOption(String word, String type, List<String> usual, String meaning, String changes) {
    this.word = word;
    this.type = type;
    this.usual = usual;
    this.meaning = meaning;
    this.changes = changes;
  }

  /** Its name in the file. */
  public String word() {
    return word;
  }

  /** What the words of its list name, such as keys of jobs. */
  public String type() {
    return type;
  }

  /** What holds where the file does not name it. */
  public List<String> usual() {
    return usual;
  }

  /** What the value says, one sentence. */
  public String meaning() {
    return meaning;
  }

  /** What another value changes, one sentence. */
  public String changes() {
    return changes;
  }

  static Optional<PlusOption> named(String word) {
    return Arrays.stream(values()).filter(it -> it.word.equals(word)).findFirst();
  }

  static List<String> words() {
    return Arrays.stream(values()).map(PlusOption::word).toList();
  }
}
