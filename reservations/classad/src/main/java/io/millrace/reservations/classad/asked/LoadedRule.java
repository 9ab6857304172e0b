package io.millrace.reservations.classad.asked;

import io.millrace.reservations.classad.evaluation.WorkBounds;
import io.millrace.reservations.classad.plus.ReservableAd;
import io.millrace.reservations.classad.plus.ReservableRule;
import io.millrace.reservations.classad.plus.Utilisation;
import io.millrace.reservations.classad.text.ClassAdRefused;
import io.millrace.reservations.classad.tree.Expression;
import java.time.DateTimeException;
import java.time.ZoneId;

/**
 * A text that was loaded.
 *
 * @param zone whose local time counts
 */
public record LoadedRule(ReservableAd ad, ZoneId zone) {

  /** Longest text: every shard keeps a copy, and each change of it is one record. */
  public static final int TEXT_MAX = 256 << 10;

  /**
   * Reads a text.
   *
   * @throws ClassAdRefused with line, column and reason
   * @throws DateTimeException when there is no such zone
   */
  public static LoadedRule read(String text, String zone) {
    return new LoadedRule(ReservableAd.parse(text), ZoneId.of(zone));
  }

  /** Whether it asks what users have reserved. */
  public boolean asksUse() {
    return ad.attributes().parts().stream().anyMatch(LoadedRule::asksUse);
  }

  private static boolean asksUse(Expression expression) {
    return expression instanceof Expression.FunctionCall call
            && call.key().equals(ReservableRule.USED)
        || expression.parts().stream().anyMatch(LoadedRule::asksUse);
  }

  ReservableRule rule(Utilisation utilisation) {
    return new ReservableRule(ad, utilisation, WorkBounds.USUAL);
  }
}
