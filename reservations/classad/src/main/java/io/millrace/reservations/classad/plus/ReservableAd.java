package io.millrace.reservations.classad.plus;

import io.millrace.reservations.classad.evaluation.FunctionTable;
import io.millrace.reservations.classad.functions.Functions;
import io.millrace.reservations.classad.text.ClassAdParser;
import io.millrace.reservations.classad.text.ClassAdPrinter;
import io.millrace.reservations.classad.text.ClassAdRefused;
import io.millrace.reservations.classad.text.TextBounds;
import io.millrace.reservations.classad.tree.Expression;
import io.millrace.reservations.classad.tree.Expression.RecordExpression;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The text of a {@code reservable.ad}, read and checked.
 *
 * @param attributes what it defines
 * @param notes what is valid and probably not meant, a sentence each
 */
public record ReservableAd(RecordExpression attributes, List<String> notes) {

  private static final Pattern OLD_FORM =
      Pattern.compile("(?im)^[ \\t]*" + GivenName.RESERVABLE + "[ \\t]*=[^=?!]");

  /** Names that mean a record around the place where they stand, or the time. */
  private static final Set<String> OF_THE_LANGUAGE =
      Set.of("self", "my", "parent", "root", "toplevel", "currenttime");

  private static final FunctionTable KNOWN =
      Functions.ALL.with(
          PlusFunctions.table((owner, from, to) -> new Utilisation.ReservationSum(0, 0, 0)));

  /** Whether a text is a ClassAd: a record, or lines of which one defines what PluS asks for. */
  public static boolean describes(String text) {
    int at = start(text);
    return (at < text.length() && text.charAt(at) == '[') || OLD_FORM.matcher(text).find();
  }

  /** Where the first word begins, after space and comments. */
  private static int start(String text) {
    int at = 0;
    while (at < text.length()) {
      if (Character.isWhitespace(text.charAt(at))) {
        at++;
      } else if (text.startsWith("//", at)) {
        int end = text.indexOf('\n', at);
        at = end < 0 ? text.length() : end;
      } else if (text.startsWith("/*", at)) {
        int end = text.indexOf("*/", at + 2);
        at = end < 0 ? text.length() : end + 2;
      } else {
        return at;
      }
    }
    return at;
  }

  /**
   * Reads and checks a text.
   *
   * @throws ClassAdRefused with line, column and reason
   */
  public static ReservableAd parse(String text) {
    ClassAdParser.ClassAdParsingRules rules =
        new ClassAdParser.ClassAdParsingRules(TextBounds.USUAL, KNOWN::wrong, ReservableAd::given);
    int at = start(text);
    boolean newForm = at < text.length() && text.charAt(at) == '[';
    RecordExpression read =
        newForm ? ClassAdParser.record(text, rules) : ClassAdParser.oldForm(text, rules);
    if (read.find(RecordExpression.key(GivenName.RESERVABLE)) == null) {
      throw new ClassAdRefused(
          1, 1, GivenName.RESERVABLE + " is not defined: it says whether a node may be reserved");
    }
    List<String> notes = new ArrayList<>(unknown(read));
    read.repeated()
        .forEach(
            name ->
                notes.add(
                    ClassAdPrinter.name(name) + " is defined more than once: the last one counts"));
    return new ReservableAd(read, List.copyOf(notes));
  }

  /** Says of the name of an attribute that it cannot be set. */
  private static String given(String name) {
    return GivenName.find(name) == null
        ? null
        : name + " is given by the scheduler and cannot be set";
  }

  /** Names that a text uses and that nobody defines. */
  private static List<String> unknown(RecordExpression read) {
    List<String> unknown = new ArrayList<>();
    for (RecordExpression.NamedExpression each : read.all()) {
      Deque<RecordExpression> around = new ArrayDeque<>(List.of(read));
      Set<String> names = new LinkedHashSet<>();
      collect(each.expression(), around, names);
      names.forEach(
          name ->
              unknown.add(
                  ClassAdPrinter.name(name)
                      + " in "
                      + ClassAdPrinter.name(each.name())
                      + " is defined nowhere: it is undefined"));
    }
    return unknown;
  }

  private static void collect(Expression in, Deque<RecordExpression> around, Set<String> unknown) {
    if (in instanceof RecordExpression record) {
      around.push(record);
      record.parts().forEach(each -> collect(each, around, unknown));
      around.pop();
      return;
    }
    if (in instanceof Expression.Reference reference && reference.base() == null) {
      String key = reference.key();
      boolean known =
          around.stream().anyMatch(each -> each.find(key) != null)
              || GivenName.find(reference.name()) != null
              || OF_THE_LANGUAGE.contains(key);
      if (!known) {
        unknown.add(reference.name());
      }
    }
    // What is evaluated in other records has its names there.
    boolean elsewhere =
        in instanceof Expression.FunctionCall call
            && Set.of("evalineachcontext", "countmatches").contains(call.key());
    List<Expression> parts = in.parts();
    (elsewhere && !parts.isEmpty() ? parts.subList(1, parts.size()) : parts)
        .forEach(each -> collect(each, around, unknown));
  }

  /** Names that an expression uses itself, as they are written, each once. */
  public static Set<String> names(Expression expression) {
    Set<String> names = new LinkedHashSet<>();
    addNames(expression, names);
    return names;
  }

  private static void addNames(Expression expression, Set<String> names) {
    if (expression instanceof Expression.Reference reference && reference.base() == null) {
      names.add(reference.name());
    }
    expression.parts().forEach(each -> addNames(each, names));
  }
}
