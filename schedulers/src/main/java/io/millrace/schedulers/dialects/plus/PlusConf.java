package io.millrace.schedulers.dialects.plus;

import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.pbs.attributes.AttributeTable;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What a sched_conf says. Immutable. */
public final class PlusConf {

  private final Map<PlusOption, List<String>> values;

  PlusConf(Map<PlusOption, List<String>> values) {
    this.values = new EnumMap<>(PlusOption.class);
    values.forEach((option, words) -> this.values.put(option, List.copyOf(words)));
  }

  /** The words of an option; what is usual where the file does not name it. */
  public List<String> words(PlusOption option) {
    return values.getOrDefault(option, option.usual());
  }

  /** Whether the file names an option. */
  public boolean gives(PlusOption option) {
    return values.containsKey(option);
  }

  /** A copy in which an option has what is usual. */
  public PlusConf reset(PlusOption option) {
    Map<PlusOption, List<String>> others = new EnumMap<>(PlusOption.class);
    others.putAll(values);
    others.remove(option);
    return new PlusConf(others);
  }

  /** The keys by which jobs are sorted, the most important one first. */
  public List<PlusJobKey> jobKeys() {
    return words(PlusOption.JOB_KEYS).stream()
        .map(word -> PlusJobKey.named(word).orElseThrow())
        .toList();
  }

  /** The keys by which nodes are sorted, the most important one first. */
  public List<PlusNodeKey> nodeKeys() {
    return words(PlusOption.NODE_KEYS).stream()
        .map(word -> PlusNodeKey.named(word).orElseThrow())
        .toList();
  }

  /**
   * The attributes by which a scheduler object decides so; one without a value is unset. PluS stops
   * no running job for another one, and keeps nothing free for jobs that wait.
   */
  public List<Attribute> attributes() {
    String jobs =
        jobKeys().stream()
            .map(key -> key.attribute(key.list().map(this::words).orElse(List.of())))
            .collect(Collectors.joining(", "));
    String nodes =
        nodeKeys().stream().map(PlusNodeKey::attribute).collect(Collectors.joining(", "));
    return List.of(
        new Attribute("policy", "priority"),
        new Attribute("strict_ordering", "False"),
        new Attribute("preemptive_sched", "False"),
        new Attribute(AttributeTable.BY_QUEUE, "False"),
        new Attribute(AttributeTable.ROUND_ROBIN, "False"),
        new Attribute(AttributeTable.JOB_SORT_KEY, jobs),
        new Attribute("node_sort_key", nodes),
        new Attribute(AttributeTable.FORMULA, ""),
        new Attribute(AttributeTable.FORMULA_THRESHOLD, ""));
  }

  /** The options as a file; those that have what is usual too. */
  public String print() {
    StringBuilder text = new StringBuilder();
    for (PlusOption option : PlusOption.values()) {
      if (!words(option).isEmpty()) {
        text.append(option.word()).append(": ");
        text.append(String.join(", ", words(option))).append('\n');
      }
    }
    return text.toString();
  }

  /** Lines: what each option says, and what Torque's flags would say. */
  public List<String> explain() {
    List<String> lines = new ArrayList<>();
    for (PlusOption option : PlusOption.values()) {
      if (!gives(option) && words(option).isEmpty()) {
        continue;
      }
      lines.add(
          option.word()
              + ": "
              + String.join(", ", words(option))
              + (gives(option) ? "" : " (usual)")
              + ": "
              + option.meaning());
      if (option == PlusOption.JOB_KEYS) {
        jobKeys().forEach(key -> lines.add("  " + key.word() + ": " + key.meaning()));
        TorqueFlags.of(jobKeys()).ifPresent(flags -> lines.add("  as Torque with " + flags));
      } else if (option == PlusOption.NODE_KEYS) {
        nodeKeys().forEach(key -> lines.add("  " + key.word() + ": " + key.meaning()));
      }
    }
    return List.copyOf(lines);
  }
}
