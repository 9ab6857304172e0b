package io.millrace.reservations.classad.functions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.reservations.classad.evaluation.BoundExceeded;
import io.millrace.reservations.classad.evaluation.Evaluator;
import io.millrace.reservations.classad.evaluation.Scope;
import io.millrace.reservations.classad.evaluation.Surroundings;
import io.millrace.reservations.classad.text.ClassAdParser;
import io.millrace.reservations.classad.tree.Expression.RecordExpression;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Texts that would take for ever, or all memory, are given up, and it is said why. */
class EvaluationBoundsTest {

  private static final String STEPS = "the evaluation needs more than 200000 steps";
  private static final String CHARACTERS = "a string is longer than 65536 characters";

  private static String value(String text, String name) {
    RecordExpression read = ClassAdParser.record(text, ClassAdParser.ClassAdParsingRules.USUAL);
    Evaluator evaluator =
        new Evaluator(
            Surroundings.at(Instant.EPOCH, ZoneOffset.UTC, new SplittableRandom(1)), Functions.ALL);
    return Rendered.of(evaluator.attribute(name, new Scope(read, null)), evaluator);
  }

  private static String givenUp(String text) {
    return assertThrows(BoundExceeded.class, () -> value(text, "a")).getMessage();
  }

  /** a0 = first; a1 = step with a0 for #; ... a = the last one. */
  private static String chain(String first, String step, int count) {
    StringBuilder text = new StringBuilder("[ a0 = " + first + ";");
    for (int i = 1; i <= count; i++) {
      text.append("a" + i + " = " + step.replace("#", "a" + (i - 1)) + ";");
    }
    return text + " a = a" + count + " ]";
  }

  @Test
  void whatNeedsItselfIsUndefined() {
    assertEquals("undefined", value("[ a = a ]", "a"));
    assertEquals("undefined", value("[ a = b; b = c; c = a + 1 ]", "a"));
    assertEquals("undefined", value("[ a = [ b = parent.a.b ].b ]", "a"));
    assertEquals("true", value("[ a = isUndefined(a) ]", "a"));
    assertEquals("undefined", value("[ a = eval(\"a\") ]", "a"));
    assertEquals("undefined", value("[ l = { l[0] }; a = l[0] ]", "a"));
  }

  @Test
  void workThatDoublesEachTimeIsGivenUp() {
    assertEquals(STEPS, givenUp(chain("1", "# + #", 40)));
    assertEquals(STEPS, givenUp(chain("{1}", "{#, #}[0] == # ? # : #", 40)));
    assertEquals(STEPS, givenUp(chain("[x = 1]", "evalInEachContext(#, {#, #})", 40)));
  }

  @Test
  void deepNeedsAreGivenUp() {
    assertEquals("expressions need each other deeper than 400", givenUp(chain("1", "# + 1", 1000)));
  }

  @Test
  void longStringsAreGivenUp() {
    assertEquals(CHARACTERS, givenUp(chain("\"xxxxxxxx\"", "strcat(#, #)", 14)));
    assertEquals(CHARACTERS, givenUp(chain("\"xxxxxxxx\"", "join(#, {#, #, #})", 14)));
    assertEquals(
        CHARACTERS, givenUp(chain("\"aaaaaaaa\"", "replaceAll(\"a\", #, \"aaaaaaaa\")", 5)));
    assertEquals(CHARACTERS, givenUp(chain("\"%c\"", "formatTime(0, strcat(#, #, #, #))", 8)));
  }

  @Test
  void patternsThatTryForEverAreGivenUp() {
    String many = "a".repeat(40);
    assertEquals(STEPS, givenUp("[ a = regexp(\"((a|a)*)*b\", \"" + many + "\") ]"));
    assertEquals(
        "a pattern repeats something more than 10000 times",
        givenUp("[ a = regexp(\"(x{0,5000}){5000}\", \"" + many + "\") ]"));
    assertEquals(
        "a pattern repeats something more than 10000 times",
        givenUp("[ a = regexp(\"(){2147483647}\", \"" + many + "\") ]"));
    assertEquals(
        "a pattern is nested too deep for its text",
        givenUp("[ a = regexp(\"(a|b)*c\", \"" + "ab".repeat(30_000) + "\") ]"));
  }

  @Test
  void manyItemsAreCounted() {
    assertEquals(
        "2000", value("[ l = {" + "[ n = 1 ],".repeat(1999) + "[ n = 1 ]}; a = sum(l.n) ]", "a"));
    assertEquals(
        STEPS,
        givenUp(
            "[ l = {"
                + "1,".repeat(999)
                + "1}; m = {"
                + "sum(l),".repeat(300)
                + "1}; a = sum(m) ]"));
  }

  @Test
  void longStringsThatAreLookedAtAgainAndAgainAreCounted() {
    String text = "x".repeat(60_000);
    assertEquals(
        STEPS,
        givenUp(
            "[ s = \""
                + text
                + "y\"; t = \""
                + text
                + "z\"; a = member(s, {"
                + "t,".repeat(2_000)
                + "t}) ]"));
    assertEquals(
        STEPS,
        givenUp(
            "[ b = {"
                + "string(1.5),".repeat(200)
                + "1}; a = size({"
                + "1,".repeat(9)
                + "member(\"x\", b)}) + "
                + "size(join(\"\", b)) + ".repeat(60)
                + "1 ]"));
  }
}
