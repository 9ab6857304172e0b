package io.millrace.reservations.classad.plus;

import io.millrace.reservations.classad.evaluation.BoundExceeded;
import io.millrace.reservations.classad.evaluation.Evaluator;
import io.millrace.reservations.classad.evaluation.FunctionTable;
import io.millrace.reservations.classad.evaluation.Logic;
import io.millrace.reservations.classad.evaluation.Scope;
import io.millrace.reservations.classad.evaluation.Surroundings;
import io.millrace.reservations.classad.evaluation.WorkBounds;
import io.millrace.reservations.classad.functions.Functions;
import io.millrace.reservations.classad.tree.Value;
import java.time.Instant;
import java.time.ZoneId;
import java.util.random.RandomGenerator;

/** A text at work: answers for nodes. Serves any number of questions, of several threads too. */
public final class ReservableRule {

  /**
   * Yes, or no.
   *
   * @param reason why not; empty for yes
   * @param steps what the answer needed
   */
  public record ReservableAnswer(boolean reservable, String reason, long steps) {}

  /**
   * When and where a question is asked.
   *
   * @param now the time
   * @param place whose local time counts
   * @param random for {@code random()}; seeded by the caller
   */
  public record Moment(Instant now, ZoneId place, RandomGenerator random) {}

  /** The function that asks what users have reserved. */
  public static final String USED = "plus_rsvutil";

  private final ReservableAd ad;
  private final FunctionTable functions;
  private final WorkBounds bounds;

  public ReservableRule(ReservableAd ad, Utilisation utilisation, WorkBounds bounds) {
    this.ad = ad;
    this.functions = Functions.ALL.with(PlusFunctions.table(utilisation));
    this.bounds = bounds;
  }

  /** Answers a question; a text that makes no sense of it, or needs too long, says no. */
  public ReservableAnswer answer(NodeQuestion question, Moment moment) {
    return answer(question, moment, bounds.steps());
  }

  /**
   * The same with fewer steps.
   *
   * @param left steps that may be used at most
   */
  public ReservableAnswer answer(NodeQuestion question, Moment moment, long left) {
    WorkBounds within =
        new WorkBounds(Math.min(left, bounds.steps()), bounds.depth(), bounds.characters());
    Evaluator evaluator = evaluator(question, moment, within);
    Value value;
    try {
      value = evaluator.attribute(GivenName.RESERVABLE, new Scope(ad.attributes(), null));
    } catch (BoundExceeded e) {
      String why = GivenName.RESERVABLE + " was given up: " + e.getMessage();
      return new ReservableAnswer(false, why, evaluator.steps());
    }
    Boolean truth = Logic.truth(value);
    if (truth != null && truth) {
      return new ReservableAnswer(true, "", evaluator.steps());
    }
    String is = truth == null ? value.kind().word() : "false";
    String article = value.isExceptional() || truth != null ? "" : "a ";
    return new ReservableAnswer(
        false, GivenName.RESERVABLE + " is " + article + is, evaluator.steps());
  }

  /** The value of an attribute, or of a name that is given, as an administrator reads it. */
  String shown(String name, NodeQuestion question, Moment moment) {
    Evaluator evaluator = evaluator(question, moment, bounds);
    try {
      return ShownValue.of(evaluator.attribute(name, new Scope(ad.attributes(), null)), evaluator);
    } catch (BoundExceeded e) {
      return "given up: " + e.getMessage();
    }
  }

  private Evaluator evaluator(NodeQuestion question, Moment moment, WorkBounds within) {
    return new Evaluator(
        new Surroundings(
            moment.now(),
            moment.place(),
            moment.random(),
            key -> question.value(key, moment.place()),
            within),
        functions);
  }
}
