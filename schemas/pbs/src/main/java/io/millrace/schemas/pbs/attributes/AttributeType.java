package io.millrace.schemas.pbs.attributes;

import io.millrace.schemas.pbs.Sizes;
import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Types of attribute values; each type knows the normal form in which values are stored and shown.
 */
public enum AttributeType {
  TEXT {
    @Override
    public Optional<String> normalise(String text) {
      return Optional.of(text);
    }
  },
  /** Comma-separated words; the order is kept, blanks around words are dropped. */
  LIST {
    @Override
    public Optional<String> normalise(String text) {
      StringBuilder words = new StringBuilder();
      for (String word : text.split(",")) {
        String trimmed = word.strip();
        if (!trimmed.isEmpty()) {
          words.append(words.length() == 0 ? "" : ",").append(trimmed);
        }
      }
      return Optional.of(words.toString());
    }
  },
  LONG {
    @Override
    public Optional<String> normalise(String text) {
      return parseLong(text).map(String::valueOf);
    }
  },
  /** A number such as 2, -0.5 or 1e3; shown in its shortest form. */
  FLOAT {
    @Override
    public Optional<String> normalise(String text) {
      String number = text.strip();
      return FLOAT_NUMBER.matcher(number).matches()
          ? Optional.of(new BigDecimal(number).stripTrailingZeros().toPlainString())
          : Optional.empty();
    }
  },
  /** True or False; t, f, y, n, 1 and 0 are understood in any case. */
  BOOLEAN {
    @Override
    public Optional<String> normalise(String text) {
      String word = text.strip().toLowerCase(Locale.ROOT);
      if (TRUE_WORDS.contains(word)) {
        return Optional.of("True");
      }
      return FALSE_WORDS.contains(word) ? Optional.of("False") : Optional.empty();
    }
  },
  /** Seconds, or [[HH:]MM:]SS; shown as HH:MM:SS. */
  DURATION {
    @Override
    public Optional<String> normalise(String text) {
      return parseSeconds(text)
          .map(s -> String.format(Locale.ROOT, "%02d:%02d:%02d", s / 3600, s / 60 % 60, s % 60));
    }
  },
  /** When it is night: {@link NightWindow}. */
  NIGHT {
    @Override
    public Optional<String> normalise(String text) {
      return NightWindow.parse(text).map(NightWindow::toString);
    }
  },
  /** A size such as 4gb; shown in the largest unit that divides it. */
  SIZE {
    @Override
    public Optional<String> normalise(String text) {
      return Sizes.parse(text.strip()).map(Sizes::format);
    }
  },
  /** Execution or Route; any prefix in any case is understood. */
  QUEUE_TYPE {
    @Override
    public Optional<String> normalise(String text) {
      String word = text.strip().toLowerCase(Locale.ROOT);
      return Stream.of("Execution", "Route")
          .filter(it -> !word.isEmpty() && it.toLowerCase(Locale.ROOT).startsWith(word))
          .findFirst();
    }
  },
  /** Node state that an administrator may set: free or offline. */
  NODE_STATE {
    @Override
    public Optional<String> normalise(String text) {
      String word = text.strip().toLowerCase(Locale.ROOT);
      return NODE_STATES.contains(word) ? Optional.of(word) : Optional.empty();
    }
  },
  NODE_SHARING {
    @Override
    public Optional<String> normalise(String text) {
      return NodeSharing.of(text.strip()).map(NodeSharing::word);
    }
  },
  /** The order of nodes: {@code resource HIGH|LOW [total|assigned|unused]}, several with commas. */
  NODE_SORT_KEY {
    @Override
    public Optional<String> normalise(String text) {
      StringBuilder keys = new StringBuilder();
      for (String key : text.split(",", -1)) {
        String[] words = key.strip().split("\\s+");
        String high = words.length > 1 ? words[1].toUpperCase(Locale.ROOT) : "";
        String part = words.length > 2 ? words[2].toLowerCase(Locale.ROOT) : "total";
        boolean alone = NODE_WORDS.contains(words[0]);
        boolean known =
            words.length <= (alone ? 2 : 3)
                && words[0].matches("[A-Za-z][A-Za-z0-9_-]*")
                && Set.of("HIGH", "LOW").contains(high)
                && Set.of("total", "assigned", "unused").contains(part);
        if (!known) {
          return Optional.empty();
        }
        keys.append(keys.isEmpty() ? "" : ", ").append(words[0]).append(' ').append(high);
        keys.append(part.equals("total") ? "" : " " + part);
      }
      return Optional.of(keys.toString());
    }
  },
  /**
   * The order of jobs: {@code resource HIGH|LOW}, several with commas; owners as {@code
   * euser=ann:bob HIGH}.
   */
  JOB_SORT_KEY {
    @Override
    public Optional<String> normalise(String text) {
      StringBuilder keys = new StringBuilder();
      for (String key : text.split(",", -1)) {
        String[] words = key.strip().split("\\s+");
        String high = words.length == 2 ? words[1].toUpperCase(Locale.ROOT) : "";
        boolean listed = OWNER_WORDS.contains(words[0].split("=", 2)[0]);
        boolean named = words[0].matches(listed ? OWNERS : "[A-Za-z][A-Za-z0-9_-]*");
        if (!named || !Set.of("HIGH", "LOW").contains(high)) {
          return Optional.empty();
        }
        keys.append(keys.isEmpty() ? "" : ", ").append(words[0]).append(' ').append(high);
      }
      return Optional.of(keys.toString());
    }
  },
  /** Name of a scheduling policy. */
  POLICY {
    @Override
    public Optional<String> normalise(String text) {
      String word = text.strip().toLowerCase(Locale.ROOT);
      return POLICIES.contains(word) ? Optional.of(word) : Optional.empty();
    }
  },
  /** Preemption levels, the highest first: {@code express_queue, normal_jobs}. */
  PREEMPT_PRIO {
    @Override
    public Optional<String> normalise(String text) {
      return PreemptLevels.parse(text).map(PreemptLevels::toString);
    }
  },
  /**
   * How a job is preempted, depending on the percentage of time that it has left: {@code SR 50 D}.
   */
  PREEMPT_ORDER {
    @Override
    public Optional<String> normalise(String text) {
      return PreemptOrder.parse(text).map(PreemptOrder::toString);
    }
  },
  /** Which of several jobs is preempted; the only value means the one that started last. */
  PREEMPT_SORT {
    @Override
    public Optional<String> normalise(String text) {
      String word = text.strip();
      return word.equals("min_time_since_start") ? Optional.of(word) : Optional.empty();
    }
  },
  /** For what a scheduler of PBS waits when it runs a job; letters stay as they were given. */
  JOB_RUN_WAIT {
    @Override
    public Optional<String> normalise(String text) {
      return Optional.of(text.strip())
          .filter(
              it ->
                  Set.of("none", "runjob_hook", "execjob_hook")
                      .contains(it.toLowerCase(Locale.ROOT)));
    }
  },
  /** How roughly promised starts are worked out; the words stay as they were given. */
  BACKFILL_FUZZY {
    @Override
    public Optional<String> normalise(String text) {
      return Optional.of(text.strip()).filter(it -> BackfillFuzzy.seconds(it).isPresent());
    }
  },
  /** What becomes of others' runs at the start of a reservation. */
  START_ACTION {
    @Override
    public Optional<String> normalise(String text) {
      return Optional.of(text.strip().toLowerCase(Locale.ROOT))
          .filter(Set.of("requeue", "suspend", "kill", "wait", "avoid")::contains);
    }
  },
  /** Path of a folder on the server's host; PBS takes any text, and tells later what is wrong. */
  PATH {
    @Override
    public Optional<String> normalise(String text) {
      return text.length() <= PATH_MAX && text.chars().noneMatch(Character::isISOControl)
          ? Optional.of(text)
          : Optional.empty();
    }
  },
  /** long, size, float, boolean, string or string_array. */
  RESOURCE_TYPE {
    @Override
    public Optional<String> normalise(String text) {
      String word = text.strip().toLowerCase(Locale.ROOT);
      return RESOURCE_TYPES.contains(word) ? Optional.of(word) : Optional.empty();
    }
  },
  /** Letters out of h, n, f, q, i, r, m; each once. */
  RESOURCE_FLAG {
    @Override
    public Optional<String> normalise(String text) {
      String word = text.strip().toLowerCase(Locale.ROOT);
      boolean known = word.chars().allMatch(c -> "hnfqirm".indexOf(c) >= 0);
      return known && word.chars().distinct().count() == word.length()
          ? Optional.of(word)
          : Optional.empty();
    }
  },
  /** Limits on the number of jobs: {@code [u:alice=3],[o:PBS_ALL=10]}. */
  LIMITS {
    @Override
    public Optional<String> normalise(String text) {
      return LimitEntry.parse(text)
          .filter(all -> all.stream().allMatch(it -> it.amount().matches("\\d{1,9}")))
          .map(AttributeType::counts);
    }
  },
  /**
   * Limits on an amount of a resource, in the form of {@link #LIMITS}; the resource's type checks
   * the amounts.
   */
  RESOURCE_LIMITS {
    @Override
    public Optional<String> normalise(String text) {
      return LimitEntry.parse(text).map(LimitEntry::format);
    }
  },
  /** One amount per resource, named {@code attribute.resource}; the resource's type checks it. */
  RESOURCES {
    @Override
    public Optional<String> normalise(String text) {
      return Optional.of(text.strip());
    }
  };

  /**
   * Digits are limited to what a double can distinguish, and exponents to what can be written out.
   */
  private static final Pattern FLOAT_NUMBER =
      Pattern.compile("[+-]?(\\d{1,15}(\\.\\d{0,15})?|\\.\\d{1,15})([eE][+-]?\\d{1,2})?");

  private static final int PATH_MAX = 1024;

  private static final Set<String> TRUE_WORDS = Set.of("true", "t", "y", "yes", "1");
  private static final Set<String> FALSE_WORDS = Set.of("false", "f", "n", "no", "0");
  private static final Set<String> NODE_STATES = Set.of("free", "offline");
  private static final Set<String> POLICIES =
      Set.of(
          "priority",
          "fifo",
          "easy",
          "easy-sjbf",
          "conservative",
          "gridengine",
          "sched_config",
          "origin2000");

  /** Keys of nodes that are no amounts, of which nothing is assigned or unused. */
  private static final Set<String> NODE_WORDS =
      Set.of("sort_priority", "name", "loadave", "idle_time");

  /** Keys of jobs that name owners, and their form. */
  private static final Set<String> OWNER_WORDS = Set.of("euser", "egroup", "submit_host");

  private static final String OWNERS = "[a-z_]+=[A-Za-z0-9._@+-]+(:[A-Za-z0-9._@+-]+)*";

  private static final Set<String> RESOURCE_TYPES =
      Set.of("long", "size", "float", "boolean", "string", "string_array");

  /** The text in normal form; empty when it is not a value of this type. */
  public abstract Optional<String> normalise(String text);

  /** Seconds of a text such as "90", "01:30" or "00:01:30"; empty when it is no duration. */
  public static Optional<Long> parseSeconds(String text) {
    String[] parts = text.strip().split(":", -1);
    if (parts.length > 3) {
      return Optional.empty();
    }
    long seconds = 0;
    for (String part : parts) {
      if (part.isEmpty() || part.length() > 12 || !part.chars().allMatch(Character::isDigit)) {
        return Optional.empty();
      }
      seconds = seconds * 60 + Long.parseLong(part);
    }
    return Optional.of(seconds);
  }

  private static String counts(List<LimitEntry> entries) {
    return LimitEntry.format(
        entries.stream()
            .map(
                it ->
                    new LimitEntry(
                        it.whom(), it.name(), Integer.toString(Integer.parseInt(it.amount()))))
            .toList());
  }

  private static Optional<Long> parseLong(String text) {
    String digits = text.strip();
    String unsigned = digits.startsWith("-") ? digits.substring(1) : digits;
    boolean number =
        !unsigned.isEmpty()
            && unsigned.length() <= 18
            && unsigned.chars().allMatch(c -> c >= '0' && c <= '9');
    return number ? Optional.of(Long.parseLong(digits)) : Optional.empty();
  }
}
