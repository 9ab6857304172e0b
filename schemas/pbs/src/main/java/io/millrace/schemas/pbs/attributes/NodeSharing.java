package io.millrace.schemas.pbs.attributes;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * Who may be on a node, or on its host, beside a job, whatever or unless the job asks for something
 * else: the node's attribute {@code sharing}, with PBS's words.
 */
public enum NodeSharing {
  /** As the job asks; others may be there when it asks for nothing. */
  DEFAULT_SHARED,
  /** Others may be there even when the job asks to be alone. */
  IGNORE_EXCL,
  /** Nobody else on the node. */
  FORCE_EXCL,
  /** Nobody else on the host. */
  FORCE_EXCLHOST,
  /** As the job asks; nobody else on the node when it asks for nothing. */
  DEFAULT_EXCL,
  /** As the job asks; nobody else on the host when it asks for nothing. */
  DEFAULT_EXCLHOST;

  /** Name of the attribute. */
  public static final String ATTRIBUTE = "sharing";

  private final String word = name().toLowerCase(Locale.ROOT);

  /** The attribute's value. */
  public String word() {
    return word;
  }

  /** The one of a word; nothing for other words. */
  public static Optional<NodeSharing> of(String word) {
    return Arrays.stream(values()).filter(it -> it.word.equals(word)).findFirst();
  }
}
