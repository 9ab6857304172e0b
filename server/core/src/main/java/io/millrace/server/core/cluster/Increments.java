package io.millrace.server.core.cluster;

import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.pbs.Sizes;
import io.millrace.schemas.pbs.attributes.AttributeType;
import io.millrace.schemas.pbs.attributes.LimitEntry;
import io.millrace.schemas.pbs.resources.Amounts;
import io.millrace.schemas.pbs.resources.RequestException;
import io.millrace.schemas.pbs.resources.ResourceDefinition;
import io.millrace.schemas.pbs.resources.ResourceKind;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What {@code +=} and {@code -=} make of two values of one kind: numbers are summed, of truths one
 * is enough, lists get and lose words, a text grows at its end and is cut there.
 */
enum Increments {
  NUMBER {
    @Override
    String add(String now, String more) throws RejectedChange {
      return summed(Long.parseLong(now), Long.parseLong(more));
    }

    @Override
    String remove(String now, String less) throws RejectedChange {
      return summed(Long.parseLong(now), -Long.parseLong(less));
    }
  },
  SECONDS {
    @Override
    String add(String now, String more) throws RejectedChange {
      return lasting(seconds(now) + seconds(more));
    }

    @Override
    String remove(String now, String less) throws RejectedChange {
      return lasting(seconds(now) - seconds(less));
    }
  },
  TRUTH {
    @Override
    String add(String now, String more) {
      return now.equals("True") ? now : more;
    }

    @Override
    String remove(String now, String less) {
      return less.equals("True") ? "False" : now;
    }
  },
  WORDS {
    @Override
    String add(String now, String more) {
      Set<String> words = new LinkedHashSet<>(Draft.words(now));
      words.addAll(Draft.words(more));
      return String.join(",", words);
    }

    @Override
    String remove(String now, String less) {
      Set<String> words = new LinkedHashSet<>(Draft.words(now));
      List.copyOf(Draft.words(less)).forEach(words::remove);
      return String.join(",", words);
    }
  },
  ENTRIES {
    @Override
    String add(String now, String more) {
      return LimitEntry.with(now, more);
    }

    @Override
    String remove(String now, String less) {
      return LimitEntry.without(now, less);
    }
  },
  LETTERS {
    @Override
    String add(String now, String more) {
      return now + more;
    }

    @Override
    String remove(String now, String less) {
      return now.endsWith(less) ? now.substring(0, now.length() - less.length()) : now;
    }
  },
  /** Bytes, with a unit. */
  SIZES {
    @Override
    String add(String now, String more) throws RejectedChange {
      return sized(bytes(now), bytes(more));
    }

    @Override
    String remove(String now, String less) throws RejectedChange {
      return sized(bytes(now), -bytes(less));
    }
  },
  /** One of a few words, or a text with a syntax of its own: nothing can be added to it. */
  WHOLE {
    @Override
    String add(String now, String more) {
      return more;
    }

    @Override
    String remove(String now, String less) {
      return now.equals(less) ? "" : now;
    }
  };

  /** Two values in the form in which they are stored; {@code now} is not empty. */
  abstract String add(String now, String more) throws RejectedChange;

  /** Removes; an empty result means that the attribute is unset. */
  abstract String remove(String now, String less) throws RejectedChange;

  /**
   * The rule for attributes of a type; for those that are per resource the resource's type decides.
   */
  static Increments of(AttributeType type) {
    return switch (type) {
      case LONG -> NUMBER;
      case DURATION -> SECONDS;
      case SIZE -> SIZES;
      case BOOLEAN -> TRUTH;
      case LIST -> WORDS;
      case TEXT -> LETTERS;
      case LIMITS, RESOURCE_LIMITS -> ENTRIES;
      default -> WHOLE;
    };
  }

  /**
   * Amounts of a resource.
   *
   * @param name of the attribute, for the refusal of what would be less than nothing
   * @param less whether {@code change} is taken away
   */
  static String amounts(
      ResourceDefinition resource, String name, String now, String change, boolean less)
      throws RejectedChange {
    if (!resource.kind().numeric()) {
      Increments how = resource.words() ? WORDS : LETTERS;
      how = resource.kind() == ResourceKind.BOOLEAN ? TRUTH : how;
      return less ? how.remove(now, change) : how.add(now, change);
    }
    try {
      long by = Amounts.parse(resource, change);
      long sum = Math.addExact(Amounts.parse(resource, now), less ? Math.negateExact(by) : by);
      String text = Amounts.format(resource, sum);
      // Refuses what the resource cannot be, such as a size below zero.
      Amounts.parse(resource, text);
      return text;
    } catch (RequestException | ArithmeticException e) {
      throw new RejectedChange(PbsError.ILLEGAL_VALUE, " " + name);
    }
  }

  private static String summed(long now, long by) throws RejectedChange {
    return normal(AttributeType.LONG, Long.toString(now + by));
  }

  private static long bytes(String text) {
    return Sizes.parse(text).orElseThrow();
  }

  private static String sized(long now, long by) throws RejectedChange {
    long sum = now > Long.MAX_VALUE - Math.max(0, by) ? -1 : now + by;
    if (sum < 0) {
      throw new RejectedChange(PbsError.ILLEGAL_VALUE);
    }
    return Sizes.format(sum);
  }

  private static long seconds(String text) {
    return AttributeType.parseSeconds(text).orElseThrow();
  }

  private static String lasting(long seconds) throws RejectedChange {
    return normal(AttributeType.DURATION, Long.toString(seconds));
  }

  private static String normal(AttributeType type, String text) throws RejectedChange {
    return type.normalise(text).orElseThrow(() -> new RejectedChange(PbsError.ILLEGAL_VALUE));
  }
}
