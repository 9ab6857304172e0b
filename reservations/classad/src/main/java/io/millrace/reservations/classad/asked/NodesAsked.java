package io.millrace.reservations.classad.asked;

import io.millrace.reservations.classad.plus.NodeQuestion;
import io.millrace.reservations.classad.plus.ReservableRule;
import io.millrace.reservations.classad.plus.Utilisation;
import io.millrace.reservations.classad.tree.Expression.RecordExpression;
import java.time.Instant;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/**
 * The nodes of one reservation over one time, asked about one after another. A node that is allowed
 * counts as given to the reservation when the next one is asked about.
 */
public final class NodesAsked {

  /**
   * Who asks for what.
   *
   * @param number of the reservation; for {@code random()}
   * @param nowMs the time
   */
  public record Enquiry(long number, String owner, long startMs, long endMs, long nowMs) {}

  private record AskedPeriod(String owner, Instant from, Instant to) {}

  private final LoadedRule text;
  private final ReservableRule rule;
  private final Enquiry enquiry;
  private final StepSum steps;
  private final List<RecordExpression> all;
  private final List<RecordExpression> allocated = new ArrayList<>();
  private final Set<String> names = new HashSet<>();
  private final Map<AskedPeriod, Utilisation.ReservationSum> sums = new HashMap<>();

  /**
   * Nothing is asked about yet.
   *
   * @param all the nodes of the partition, asked for when a text looks at them
   * @param utilisation what reservations users have
   * @param steps of all questions of the reservation
   */
  public NodesAsked(
      LoadedRule text,
      Enquiry enquiry,
      Supplier<List<RecordExpression>> all,
      Utilisation utilisation,
      StepSum steps) {
    this.text = text;
    this.enquiry = enquiry;
    this.steps = steps;
    this.all = new Later(all);
    this.rule =
        text.rule(
            (owner, from, to) ->
                sums.computeIfAbsent(
                    new AskedPeriod(owner, from, to), it -> utilisation.of(owner, from, to)));
  }

  /** Forgets which nodes the reservation was given. */
  public void restart() {
    allocated.clear();
    names.clear();
  }

  /** A node is the reservation's without having been asked about. */
  public void has(String name, RecordExpression node) {
    if (names.add(name)) {
      allocated.add(node);
    }
  }

  /** Why a node may not be taken; empty when it may, and it then counts as given. */
  public String refusal(String name, RecordExpression node) {
    if (names.contains(name)) {
      return "";
    }
    if (steps.spent()) {
      return steps.reason();
    }
    Instant now = Instant.ofEpochMilli(enquiry.nowMs());
    ReservableRule.ReservableAnswer answer =
        rule.answer(
            new NodeQuestion(
                enquiry.owner(),
                Instant.ofEpochMilli(enquiry.startMs()),
                Instant.ofEpochMilli(enquiry.endMs()),
                node,
                allocated,
                all),
            new ReservableRule.Moment(
                now, text.zone(), new SplittableRandom(31 * enquiry.number() + name.hashCode())),
            steps.left());
    steps.add(answer.steps());
    if (!answer.reservable() && steps.spent()) {
      return steps.reason();
    }
    if (answer.reservable()) {
      has(name, node);
    }
    return answer.reason();
  }

  /** A list whose items are made when somebody looks at them. */
  private static final class Later extends AbstractList<RecordExpression> {
    private final Supplier<List<RecordExpression>> source;
    private List<RecordExpression> items;

    Later(Supplier<List<RecordExpression>> source) {
      this.source = source;
    }

    private List<RecordExpression> items() {
      if (items == null) {
        items = List.copyOf(source.get());
      }
      return items;
    }

    @Override
    public RecordExpression get(int index) {
      return items().get(index);
    }

    @Override
    public int size() {
      return items().size();
    }

    @Override
    public Object[] toArray() {
      return items().toArray();
    }
  }
}
