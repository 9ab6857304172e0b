package io.millrace.reservations.classad.functions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.millrace.reservations.classad.evaluation.BoundExceeded;
import io.millrace.reservations.classad.evaluation.Evaluator;
import io.millrace.reservations.classad.evaluation.Scope;
import io.millrace.reservations.classad.evaluation.Surroundings;
import io.millrace.reservations.classad.text.ClassAdParser;
import io.millrace.reservations.classad.text.ClassAdPrinter;
import io.millrace.reservations.classad.tree.Expression;
import io.millrace.reservations.classad.tree.Expression.RecordExpression;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** As deep as the bounds allow, each way of nesting fits on a stack of less than the usual size. */
class DeepTextsTest {

  private static final int STACK_BYTES = 640 << 10;

  private static void evaluate(String text) {
    Expression read = ClassAdParser.expression(text, ClassAdParser.ClassAdParsingRules.USUAL);
    String printed = ClassAdPrinter.print(read);
    Expression again = ClassAdParser.expression(printed, ClassAdParser.ClassAdParsingRules.USUAL);
    assertEquals(printed, ClassAdPrinter.print(again));
    Surroundings around = Surroundings.at(Instant.EPOCH, ZoneOffset.UTC, new SplittableRandom(1));
    try {
      new Evaluator(around, Functions.ALL).value(read, new Scope(RecordExpression.NONE, null));
    } catch (BoundExceeded e) {
      // Some ways need more than one level for each that is written.
    }
  }

  @Test
  void eachWayOfNestingFits() throws InterruptedException {
    for (List<String> way :
        List.of(
            List.of("(", "1", ")"),
            List.of("{", "1", "}[0]"),
            List.of("[x = ", "1", "].x"),
            List.of("!", "1", ""),
            List.of("1 + (", "1", ")"),
            List.of("true ? 1 : ", "1", ""),
            List.of("undefined ?: ", "1", ""),
            List.of("strcat(", "1", ")"),
            List.of("ifThenElse(true, ", "1", ", 2)"),
            List.of("join(\",\", {", "1", "})"),
            List.of("sum({", "1", "})"),
            List.of("member(1, {", "1", "})"),
            List.of("regexp(\"a\", ", "\"a\"", ")"),
            List.of("evalInEachContext(", "1", ", {[]})"),
            List.of("countMatches(1, {[x = ", "1", "]})"),
            List.of("quantize(1, {", "1", "})"))) {
      for (int depth : new int[] {195, 95}) {
        String text = way.get(0).repeat(depth) + way.get(1) + way.get(2).repeat(depth);
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread thread = new Thread(null, () -> evaluate(text), "deep", STACK_BYTES);
        thread.setUncaughtExceptionHandler((which, what) -> thrown.set(what));
        thread.start();
        thread.join();
        boolean tooDeep = String.valueOf(thrown.get()).contains("deeper than 200");
        assertNull(tooDeep ? null : thrown.get(), way + " " + depth);
      }
    }
  }
}
