package io.millrace.schemas.pbs.attributes;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The value of {@code preempt_prio}: levels of jobs, the highest first, such as {@code
 * express_queue, normal_jobs, express_queue+server_softlimits}.
 *
 * @param levels for each level the marks that a job must have to be in it
 */
public record PreemptLevels(List<Set<Mark>> levels) {

  /** Properties of a job that decide its level. */
  public enum Mark {
    /** The job's queue has a priority of at least {@code preempt_queue_prio}. */
    EXPRESS_QUEUE,
    /** The job matches no other listed level. */
    NORMAL_JOBS,
    /** The job is above a soft limit of the server. */
    SERVER_SOFTLIMITS,
    /** The job is above a soft limit of its queue. */
    QUEUE_SOFTLIMITS,
    /** The job has waited for long. */
    STARVING_JOBS,
    /** The job's owner has used more than a fair share. */
    FAIRSHARE;

    /** PBS's word for the mark. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    private static Optional<Mark> find(String word) {
      for (Mark mark : values()) {
        if (mark.word().equals(word)) {
          return Optional.of(mark);
        }
      }
      return Optional.empty();
    }
  }

  /** Parses a text; empty when it is malformed, lists a level twice or names an unknown mark. */
  public static Optional<PreemptLevels> parse(String text) {
    List<Set<Mark>> levels = new ArrayList<>();
    for (String level : text.split(",", -1)) {
      Set<Mark> marks = EnumSet.noneOf(Mark.class);
      for (String word : level.strip().split("\\+", -1)) {
        Optional<Mark> mark = Mark.find(word);
        if (mark.isEmpty() || !marks.add(mark.get())) {
          return Optional.empty();
        }
      }
      if (levels.contains(marks)) {
        return Optional.empty();
      }
      levels.add(marks);
    }
    return Optional.of(new PreemptLevels(List.copyOf(levels)));
  }

  /** True when any level uses the mark. */
  public boolean names(Mark mark) {
    return levels.stream().anyMatch(it -> it.contains(mark));
  }

  /** The text in normal form. */
  @Override
  public String toString() {
    return levels.stream()
        .map(it -> it.stream().map(Mark::word).collect(Collectors.joining("+")))
        .collect(Collectors.joining(", "));
  }
}
