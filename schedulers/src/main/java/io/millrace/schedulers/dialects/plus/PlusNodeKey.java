package io.millrace.schedulers.dialects.plus;

import io.millrace.schedulers.core.policy.NodeOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The keys of NodeSortKey, and what they are as keys of {@code node_sort_key}. */
public enum PlusNodeKey {
  NAME("NodeName", NodeOrder.NAME + " LOW", "by name"),
  LOAD(
      "LowestLoadAverage",
      NodeOrder.LOAD + " LOW",
      "the lowest load average first, that of five minutes as the host reports it"),
  IDLE(
      "LongestIdleTime",
      NodeOrder.IDLE + " HIGH",
      "the node first on which nothing has run for longest; those on which something runs last"),
  MEMORY("LargestPhysicalMemory", "mem HIGH", "the node with the most memory first");

  private final String word;
  private final String attribute;
  private final String meaning;

  PlusNodeKey(String word, String attribute, String meaning) {
    this.word = word;
    this.attribute = attribute;
    this.meaning = meaning;
  }

  /** Its name in the file. */
  public String word() {
    return word;
  }

  /** Which nodes come first by it. */
  public String meaning() {
    return meaning;
  }

  /** The key as one of {@code node_sort_key}. */
  String attribute() {
    return attribute;
  }

  static Optional<PlusNodeKey> named(String word) {
    return Arrays.stream(values()).filter(it -> it.word.equals(word)).findFirst();
  }

  static List<String> words() {
    return Arrays.stream(values()).map(PlusNodeKey::word).toList();
  }
}
