package io.millrace.ops.faults.evidence;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A line of the log of faulty commands: what became of a call.
 *
 * @param atMs when it was written
 * @param command name of the command
 * @param what happened: {@code carried} and {@code doubled} for a submission that was carried out,
 *     or the fault
 * @param more tag, number in the outside system, and when the submission began
 */
public record CommandNote(long atMs, String command, String what, List<String> more) {

  /** A submission that was carried out. */
  public static final String CARRIED = "carried";

  /** The second time that the harness has carried it out. */
  public static final String DOUBLED = "doubled";

  /** Said before that: its line is missing where the command was ended in the middle of it. */
  public static final String DOUBLING = "doubling";

  private static final int WORDS = 3;
  private static final int SUBMISSION_WORDS = 3;

  public CommandNote {
    more = List.copyOf(more);
  }

  /** Parses a line; empty when its writer died in it. */
  public static Optional<CommandNote> parse(String line) {
    String[] words = line.split(" ");
    if (words.length < WORDS || !words[0].matches("[0-9]{13}")) {
      return Optional.empty();
    }
    List<String> more = List.of(words).subList(WORDS, words.length);
    boolean submission = words[2].equals(CARRIED) || words[2].equals(DOUBLED);
    boolean whole =
        more.size() == SUBMISSION_WORDS
            && more.get(1).matches("[0-9]{1,18}")
            && more.get(2).matches("[0-9]{13}");
    return submission && !whole
        ? Optional.empty()
        : Optional.of(
            new CommandNote(Long.parseLong(words[0]), words[1], words[2], new ArrayList<>(more)));
  }

  /** The tag of what was submitted; a hyphen for another command. */
  public String tag() {
    return more.isEmpty() ? "-" : OutsideAccount.ofHome(more.get(0));
  }

  /** Number there of a submission that was carried out; -1 for another note. */
  public long number() {
    return more.size() == SUBMISSION_WORDS ? Long.parseLong(more.get(1)) : -1;
  }

  /** When a submission began that was carried out. */
  public long begunMs() {
    return Long.parseLong(more.get(2));
  }
}
