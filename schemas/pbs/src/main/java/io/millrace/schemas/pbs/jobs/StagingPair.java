package io.millrace.schemas.pbs.jobs;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * One of the pairs of stagein and stageout, {@code path@host:other}: the gateway and the executors
 * check pairs here, so that a host can carry out what the gateway accepts.
 *
 * @param path on the host of the job
 * @param host of the other file
 * @param other path there: the source of stagein, the target of stageout
 */
public record StagingPair(String path, String host, String other) {

  /** Without commas, since the list of pairs separates them by commas and knows no quotes. */
  private static final String PATH = "[^@:,\\p{Cc}]{1,4096}";

  private static final Pattern PAIR =
      Pattern.compile("(" + PATH + ")@([\\p{Graph}&&[^@:,]]{1,255}):(" + PATH + ")");

  /** Parses a pair; empty when the text has another form. */
  public static Optional<StagingPair> of(String text) {
    Matcher pair = PAIR.matcher(text);
    return pair.matches()
        ? Optional.of(new StagingPair(pair.group(1), pair.group(2), pair.group(3)))
        : Optional.empty();
  }

  /**
   * The pairs in an attribute's value, which are separated by commas.
   *
   * @throws IllegalArgumentException in one line, when one has another form
   */
  public static List<StagingPair> list(String value) {
    return value.isEmpty()
        ? List.of()
        : Stream.of(value.split(",", -1))
            .map(
                text ->
                    of(text)
                        .orElseThrow(
                            () -> new IllegalArgumentException("not path@host:path: " + text)))
            .toList();
  }
}
