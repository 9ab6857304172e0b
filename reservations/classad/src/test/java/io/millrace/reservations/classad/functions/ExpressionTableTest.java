package io.millrace.reservations.classad.functions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.reservations.classad.evaluation.Evaluator;
import io.millrace.reservations.classad.evaluation.Scope;
import io.millrace.reservations.classad.evaluation.Surroundings;
import io.millrace.reservations.classad.text.ClassAdParser;
import io.millrace.reservations.classad.text.ClassAdPrinter;
import io.millrace.reservations.classad.text.ClassAdRefused;
import io.millrace.reservations.classad.tree.Expression;
import io.millrace.reservations.classad.tree.Expression.RecordExpression;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The language, an expression at a time: what each evaluates to, or where it is refused. */
class ExpressionTableTest {

  private static final Instant NOW = Instant.parse("2006-12-19T12:00:00Z");
  private static final ZoneId PLACE = ZoneId.of("Asia/Tokyo");

  private static final RecordExpression RECORD =
      ClassAdParser.record(
          """
          [
            a = 1; b = 2.5; s = "Hello"; sumOf = a + b; mine = TARGET.a;
            l = {1, 2, 3};
            r = [
                  x = 10; y = a;
                  nested = [ z = x; p = parent.x; up = a; top = root.a; own = size(self) - 3 ]
                ];
            loop = loop + 1; loop1 = loop2; loop2 = loop1;
            'odd name' = 7;
            req = a > 0 && TARGET.Arch == "ARM" && Cpus >= 1;
            req2 = b > 0 && gone.Arch == "x" && TARGET.Nope && zed && r.x > 1;
            req3 = loop > 0 && self.a > 1;
            big = n > 1;
            nodes = { [ n = 1; m = "p" ], [ n = 2 ] };
            now = absTime(time());
          ]
          """,
          ClassAdParser.ClassAdParsingRules.USUAL);

  private static final RecordExpression TARGET =
      ClassAdParser.record(
          "[ Arch = \"ARM\"; Memory = 512; a = 99; want = TARGET.a ]",
          ClassAdParser.ClassAdParsingRules.USUAL);

  /** A line of the table. */
  private record Line(String topic, String expression, String result) {}

  private static List<Line> lines() throws IOException {
    List<Line> lines = new ArrayList<>();
    try (InputStream in =
        ExpressionTableTest.class.getResourceAsStream(
            "/io/millrace/reservations/classad/expressions.txt")) {
      String topic = "";
      for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\n")) {
        int arrow = line.lastIndexOf(" => ");
        if (line.startsWith("== ")) {
          topic = line.substring(3);
        } else if (arrow >= 0) {
          lines.add(new Line(topic, line.substring(0, arrow), line.substring(arrow + 4)));
        }
      }
    }
    return lines;
  }

  private static Evaluator evaluator() {
    return new Evaluator(Surroundings.at(NOW, PLACE, new SplittableRandom(1)), Functions.ALL);
  }

  private static String result(String text) {
    try {
      Expression parsed = ClassAdParser.expression(text, ClassAdParser.ClassAdParsingRules.USUAL);
      Scope scope = Scope.matched(RECORD, TARGET);
      Evaluator evaluator = evaluator();
      return Rendered.of(evaluator.value(parsed, scope), evaluator);
    } catch (ClassAdRefused e) {
      return "refused " + e.line() + ":" + e.column();
    }
  }

  @Test
  void eachExpressionHasItsResult() throws IOException {
    List<String> wrong = new ArrayList<>();
    for (Line line : lines()) {
      String result = result(line.expression());
      if (!result.equals(line.result())) {
        wrong.add(line.expression() + " is " + result + ", not " + line.result());
      }
    }
    assertEquals(List.of(), wrong, () -> String.join("\n", wrong));
  }

  @Test
  void theTableIsLargeAndHasEachFunction() throws IOException {
    assertTrue(lines().size() >= 500, () -> "lines of the table");
    Set<String> missing = new TreeSet<>(Functions.ALL.names());
    for (Line line : lines()) {
      missing.removeIf(name -> line.expression().toLowerCase().contains(name.toLowerCase() + "("));
    }
    assertEquals(Set.of(), missing);
  }

  @Test
  void whatIsReadIsPrintedAndReadAgain() throws IOException {
    for (Line line : lines()) {
      if (!line.result().startsWith("refused")) {
        Expression tree =
            ClassAdParser.expression(line.expression(), ClassAdParser.ClassAdParsingRules.USUAL);
        String printed = ClassAdPrinter.print(tree);
        Expression again =
            ClassAdParser.expression(printed, ClassAdParser.ClassAdParsingRules.USUAL);
        assertEquals(tree, again, line.expression() + " was printed as " + printed);
      }
    }
  }
}
