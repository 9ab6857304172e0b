package io.millrace.reservations.classad.plus;

import io.millrace.reservations.classad.tree.Expression.RecordExpression;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;

/** The names that the scheduler gives to a text. */
public enum GivenName {
  PLUS_RSV_OWNER("who asks for the reservation"),
  PLUS_RSV_START("when the reservation begins"),
  PLUS_RSV_END("when the reservation ends"),
  PLUS_CANDIDATE_NODE("the node that is asked about"),
  PLUS_ALLOCATED_NODES("the nodes that the reservation was given before this one"),
  PLUS_ALL_NODES("all nodes that execute jobs");

  /** What a text has to define. */
  public static final String RESERVABLE = "PLUS_NODE_RESERVABLE";

  private static final Map<String, GivenName> BY_KEY =
      Arrays.stream(values())
          .collect(Collectors.toMap(each -> RecordExpression.key(each.name()), each -> each));

  private final String meaning;

  GivenName(String meaning) {
    this.meaning = meaning;
  }

  public String meaning() {
    return meaning;
  }

  /**
   * Null when a name is none of these.
   *
   * @param key the form by which names are compared
   */
  static GivenName ofKey(String key) {
    return BY_KEY.get(key);
  }

  /** Null when a name is none of these. */
  public static GivenName find(String name) {
    return ofKey(RecordExpression.key(name));
  }
}
