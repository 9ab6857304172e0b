package io.millrace.reservations.classad.functions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.millrace.reservations.classad.evaluation.BoundExceeded;
import io.millrace.reservations.classad.evaluation.Evaluator;
import io.millrace.reservations.classad.evaluation.Scope;
import io.millrace.reservations.classad.evaluation.Surroundings;
import io.millrace.reservations.classad.text.ClassAdParser;
import io.millrace.reservations.classad.text.ClassAdPrinter;
import io.millrace.reservations.classad.text.ClassAdRefused;
import io.millrace.reservations.classad.tree.Expression;
import io.millrace.reservations.classad.tree.Expression.RecordExpression;
import io.millrace.reservations.classad.tree.Value;
import io.millrace.schemas.Seeds;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whatever the text: it is refused with a place, or read; then it has a value, soon. */
class RandomTextsPropertyTest {

  /** The promise, in processor time: others may use the machine too. */
  private static final long SLOWEST_NS = 50_000_000;

  private static final List<String> ORIGINALS =
      List.of(
          "[ a = 1; b = a + 1; c = { a, b, [ x = c ] }; PLUS_NODE_RESERVABLE = a < b ? true : c ]",
          "[ VIPs = { \"userA\" }; r = member(PLUS_RSV_OWNER, VIPs) ? 100.0 : 50.0 ]",
          "[ now = absTime(time()); prev = PLUS_RSV_START - now; d = relTime(\"7d\"); x = prev < d"
              + " ]",
          "strcat(\"a\", join(\";\", split(\"a b c\")), regexps(\"(a)(b)\", \"xabx\", \"\\\\1\"))",
          "formatTime(absTime(0, 0), \"%A %B %j\") =?= undefined || evalInEachContext(a, { [ a = 1"
              + " ] })",
          "a = 1\nb = \"x\\\"y\"\nPLUS_NODE_RESERVABLE = a =?= b && (strcat(a, b) != \"z\")\n");

  private static final RecordExpression AROUND =
      ClassAdParser.record(
          "[ a = 1; b = \"text\"; c = 2.5; l = {1, a, l}; r = [ x = a; y = parent.r ]; loop = loop;"
              + " 'odd name' = 3 ]",
          ClassAdParser.ClassAdParsingRules.USUAL);

  private final ThreadMXBean clock = ManagementFactory.getThreadMXBean();
  private long slowest;
  private String ofSlowest = "";

  private static Expression read(String text) {
    return text.contains("\n")
        ? ClassAdParser.oldForm(text, ClassAdParser.ClassAdParsingRules.USUAL)
        : ClassAdParser.expression(text, ClassAdParser.ClassAdParsingRules.USUAL);
  }

  private void one(String text) {
    long before = clock.getCurrentThreadCpuTime();
    try {
      Expression tree = read(text);
      String printed = ClassAdPrinter.print(tree);
      assertEquals(
          tree,
          ClassAdParser.expression(printed, ClassAdParser.ClassAdParsingRules.USUAL),
          printed);
      Evaluator evaluator =
          new Evaluator(
              Surroundings.at(Instant.EPOCH, ZoneOffset.UTC, new SplittableRandom(1)),
              Functions.ALL);
      Value value = evaluator.value(tree, new Scope(AROUND, null));
      Rendered.of(value, evaluator);
    } catch (ClassAdRefused e) {
      assertTrue(e.line() >= 1 && e.column() >= 1 && !e.reason().contains("\n"), e.getMessage());
    } catch (BoundExceeded e) {
      assertTrue(e.getMessage().length() > 10, e.getMessage());
    }
    long took = clock.getCurrentThreadCpuTime() - before;
    if (took > slowest) {
      slowest = took;
      ofSlowest = text;
    }
  }

  private void many(long seed, int count) {
    RandomTexts texts = new RandomTexts(seed, ORIGINALS);
    for (int i = 0; i < count; i++) {
      String text = i % 3 == 0 ? texts.expression(5) : texts.spoilt();
      try {
        one(text);
      } catch (RuntimeException | Error e) {
        fail("seed " + seed + ", text " + i + ": " + text, e);
      }
    }
  }

  @Test
  void eachTextEndsInAValueOrAReason() {
    for (long seed : Seeds.of(0, 1, 2)) {
      many(seed, 2_000);
    }
  }

  @Test
  @Tag("night")
  void aMillionTextsEndSoon() {
    many(Seeds.TODAY, 20_000);
    slowest = 0;
    many(Seeds.TODAY + 1, 1_000_000);
    assertTrue(slowest < SLOWEST_NS, slowest / 1_000 + " us: " + ofSlowest);
  }
}
