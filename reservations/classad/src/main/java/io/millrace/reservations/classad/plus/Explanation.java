package io.millrace.reservations.classad.plus;

import io.millrace.reservations.classad.text.ClassAdPrinter;
import io.millrace.reservations.classad.tree.Expression;
import io.millrace.reservations.classad.tree.Expression.RecordExpression.NamedExpression;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** What each attribute of a text is for one question, and what it depends on. */
public final class Explanation {

  private final ReservableAd ad;
  private final ReservableRule rule;

  /**
   * @param rule the same text at work
   */
  public Explanation(ReservableAd ad, ReservableRule rule) {
    this.ad = ad;
    this.rule = rule;
  }

  /**
   * The names that the scheduler gives, each attribute in the order of the text, what is probably
   * not meant, and the answer.
   */
  public List<String> lines(NodeQuestion question, ReservableRule.Moment moment) {
    List<String> lines = new ArrayList<>();
    for (GivenName each : GivenName.values()) {
      lines.add(
          each.name() + " = " + rule.shown(each.name(), question, moment) + ": " + each.meaning());
    }
    for (NamedExpression each : ad.attributes().all()) {
      lines.addAll(attribute(each, question, moment));
    }
    lines.addAll(ad.notes());
    ReservableRule.ReservableAnswer answer = rule.answer(question, moment);
    lines.add(
        answer.reservable()
            ? "the node may be reserved"
            : "the node may not be reserved: " + answer.reason());
    return lines;
  }

  private List<String> attribute(
      NamedExpression attribute, NodeQuestion question, ReservableRule.Moment moment) {
    List<String> lines = new ArrayList<>();
    String name = ClassAdPrinter.name(attribute.name());
    String meaning =
        attribute.name().equalsIgnoreCase(GivenName.RESERVABLE)
            ? ": whether the node may be reserved"
            : "";
    lines.add(name + " = " + rule.shown(attribute.name(), question, moment) + meaning);
    Set<String> names = ReservableAd.names(attribute.expression());
    boolean written =
        attribute.expression() instanceof Expression.Literal
            || (attribute.expression() instanceof Expression.ListExpression && names.isEmpty());
    if (!written) {
      lines.add("  by " + ShownValue.cut(ClassAdPrinter.print(attribute.expression()).strip()));
    }
    List<String> needs = new ArrayList<>();
    for (String each : names) {
      GivenName given = GivenName.find(each);
      needs.add(ClassAdPrinter.name(each) + (given == null ? "" : " (" + given.meaning() + ")"));
    }
    if (!needs.isEmpty()) {
      lines.add("  from " + String.join(", ", needs));
    }
    return lines;
  }
}
