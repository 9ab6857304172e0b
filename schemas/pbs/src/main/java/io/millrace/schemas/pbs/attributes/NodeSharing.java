package io.millrace.schemas.pbs.attributes;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * Values of the node attribute {@code sharing}: whether jobs share a node or host with others, by
 * default or whatever they ask for.
 */
public enum NodeSharing {
  /** As the job asks; shared by default. */
  DEFAULT_SHARED,
  /** Shared even when the job asks for exclusive use. */
  IGNORE_EXCL,
  /** Every job has the node exclusively. */
  FORCE_EXCL,
  /** Every job has the host exclusively. */
  FORCE_EXCLHOST,
  /** As the job asks; by default it has the node exclusively. */
  DEFAULT_EXCL,
  /** As the job asks; by default it has the host exclusively. */
  DEFAULT_EXCLHOST;

  /** Name of the attribute. */
  public static final String ATTRIBUTE = "sharing";

  private final String word = name().toLowerCase(Locale.ROOT);

  /** PBS's word for the value. */
  public String word() {
    return word;
  }

  /** The value for a word of PBS; empty for other words. */
  public static Optional<NodeSharing> of(String word) {
    return Arrays.stream(values()).filter(it -> it.word.equals(word)).findFirst();
  }
}
