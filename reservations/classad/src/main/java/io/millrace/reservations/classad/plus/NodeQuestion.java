package io.millrace.reservations.classad.plus;

import io.millrace.reservations.classad.evaluation.ListValue;
import io.millrace.reservations.classad.evaluation.RecordValue;
import io.millrace.reservations.classad.evaluation.Scope;
import io.millrace.reservations.classad.tree.Expression;
import io.millrace.reservations.classad.tree.Expression.RecordExpression;
import io.millrace.reservations.classad.tree.Scalar;
import io.millrace.reservations.classad.tree.Value;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;

/**
 * Whether a node may be taken for a reservation.
 *
 * @param owner who asks for it
 * @param start when it begins
 * @param end when it ends
 * @param candidate the node
 * @param allocated the nodes it was given before
 * @param all all nodes that execute jobs; an unmodifiable list is used as it is for many questions
 */
public record NodeQuestion(
    String owner,
    Instant start,
    Instant end,
    RecordExpression candidate,
    List<RecordExpression> allocated,
    List<RecordExpression> all) {

  /**
   * The value of a given name; null when the name is none.
   *
   * @param key the form by which names are compared
   */
  Value value(String key, ZoneId place) {
    GivenName name = GivenName.ofKey(key);
    if (name == null) {
      return null;
    }
    return switch (name) {
      case PLUS_RSV_OWNER -> Scalar.of(owner);
      case PLUS_RSV_START -> moment(start, place);
      case PLUS_RSV_END -> moment(end, place);
      case PLUS_CANDIDATE_NODE -> new RecordValue(new Scope(candidate, null));
      case PLUS_ALLOCATED_NODES -> list(allocated);
      case PLUS_ALL_NODES -> list(all);
    };
  }

  private static Value moment(Instant at, ZoneId place) {
    return new Scalar.AbsoluteTime(
        at.getEpochSecond(), place.getRules().getOffset(at).getTotalSeconds());
  }

  private static Value list(List<RecordExpression> nodes) {
    return new ListValue(
        new Expression.ListExpression(List.copyOf(nodes)), new Scope(RecordExpression.NONE, null));
  }
}
