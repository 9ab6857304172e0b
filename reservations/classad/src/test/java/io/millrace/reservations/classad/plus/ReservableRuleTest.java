package io.millrace.reservations.classad.plus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.reservations.classad.evaluation.WorkBounds;
import io.millrace.reservations.classad.tree.Expression.RecordExpression;
import io.millrace.reservations.classad.tree.Scalar;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The four programs of the manual over time, users and load; the numbers are computed by hand. */
class ReservableRuleTest {

  private static final Instant NOW = Instant.parse("2006-12-19T12:00:00Z");
  private static final Utilisation NONE =
      (owner, from, to) -> new Utilisation.ReservationSum(0, 0, 0);

  private static RecordExpression node(String name, boolean alive, double load, int jobs) {
    return new NodeRecord(
            name,
            new NodeRecord.NodeCondition(alive, load, jobs),
            new NodeRecord.NodePlatform("x86_64", "linux"),
            new NodeRecord.Size(4, 8L << 30),
            Map.of("gpus", Scalar.of(2L)))
        .attributes();
  }

  private static List<RecordExpression> nodes(int count) {
    List<RecordExpression> nodes = new ArrayList<>();
    for (int i = 1; i <= count; i++) {
      nodes.add(node("node" + i, true, 0, 0));
    }
    return nodes;
  }

  private static ReservableRule.Moment moment() {
    return new ReservableRule.Moment(NOW, ZoneId.of("Asia/Tokyo"), new SplittableRandom(1));
  }

  private static ReservableRule rule(String text, Utilisation utilisation) {
    return new ReservableRule(ReservableAd.parse(text), utilisation, WorkBounds.USUAL);
  }

  private static NodeQuestion question(String owner, RecordExpression candidate) {
    Instant start = NOW.plusSeconds(3600);
    return new NodeQuestion(
        owner, start, start.plusSeconds(3600), candidate, List.of(), List.of(candidate));
  }

  private static boolean reservable(String text, String owner, RecordExpression candidate) {
    return rule(text, NONE).answer(question(owner, candidate), moment()).reservable();
  }

  @ParameterizedTest
  @CsvSource({
    "node1,     true,  0.0,  0, true",
    "node1,     true,  0.3,  0, true",
    "node1,     true,  0.31, 0, false",
    "node1,     true,  0.0,  1, false",
    "node1,     false, 0.0,  0, false",
    "unusableA, true,  0.0,  0, false",
    "UNUSABLEB, true,  0.0,  0, false",
    "unusableC, true,  0.0,  0, true"
  })
  void byWhatANodeDoesNow(String name, boolean alive, double load, int jobs, boolean expected) {
    RecordExpression node = node(name, alive, load, jobs);
    assertEquals(expected, reservable(SamplePrograms.BY_STATE, "userX", node));
  }

  /**
   * Of 20 nodes. A user of the group gets 90 % up to 30 minutes before, 50 % from two hours before,
   * and between, at m minutes, 90 - 40 * (m - 30) / 90: at 75 minutes 70 %. Others get 50 % and 30
   * %, at 75 minutes 40 %; a VIP all of them.
   */
  @ParameterizedTest
  @CsvSource({
    "userA, 10m,   1h,  20",
    "userA, 75m,   1h,  20",
    "userC, 6d,    1h,  20",
    "userX, 10m,   1h,  18",
    "userX, 30m,   1h,  18",
    "userX, 75m,   1h,  14",
    "userX, 120m,  1h,  10",
    "userX, 6d,    1h,  10",
    "other, 10m,   1h,  10",
    "other, 30m,   1h,  10",
    "other, 75m,   1h,  8",
    "other, 120m,  1h,  6",
    "other, 6d,    47h, 6",
    "userA, 0m,    1h,  0",
    "userA, -5m,   1h,  0",
    "userA, 7d,    1h,  0",
    "userA, 8d,    1h,  0",
    "userA, 10m,   48h, 0",
    "userX, 10m,   48h, 0",
    "other, 10m,   3d,  0"
  })
  void soManyByWhoAsksAndHowLongBefore(String owner, String notice, String length, int expected) {
    ReservableRule rule = rule(SamplePrograms.BY_NOTICE, NONE);
    List<RecordExpression> all = nodes(20);
    Instant start = NOW.plus(duration(notice));
    Instant end = start.plus(duration(length));
    List<RecordExpression> taken = new ArrayList<>();
    for (RecordExpression each : all) {
      NodeQuestion question = new NodeQuestion(owner, start, end, each, List.copyOf(taken), all);
      if (rule.answer(question, moment()).reservable()) {
        taken.add(each);
      }
    }
    assertEquals(expected, taken.size());
  }

  private static Duration duration(String text) {
    long number = Long.parseLong(text.substring(0, text.length() - 1));
    return switch (text.charAt(text.length() - 1)) {
      case 'd' -> Duration.ofDays(number);
      case 'h' -> Duration.ofHours(number);
      default -> Duration.ofMinutes(number);
    };
  }

  @ParameterizedTest
  @CsvSource({
    "0,   0,      0,      true",
    "100, 172800, 1000.0, true",
    "101, 0,      0,      false",
    "100, 172801, 0,      false",
    "100, 0,      1000.1, false"
  })
  void asLongAsTheOwnerHasNotTooMuch(long count, double length, double hours, boolean expected) {
    List<String> asked = new ArrayList<>();
    Utilisation utilisation =
        (owner, from, to) -> {
          asked.add(owner + " " + from + " " + to);
          return new Utilisation.ReservationSum(count, length, hours);
        };
    NodeQuestion question = question("userB", node("node1", true, 0, 0));
    ReservableRule rule = rule(SamplePrograms.BY_USE, utilisation);
    assertEquals(expected, rule.answer(question, moment()).reservable());
    assertEquals("userB 2006-12-12T12:00:00Z 2006-12-26T12:00:00Z", asked.get(0));
  }

  @ParameterizedTest
  @CsvSource({
    "userA, node1, true",
    "userA, node4, true",
    "userA, node5, false",
    "userB, node1, true",
    "userB, node3, false",
    "userC, node2, false",
    "userC, node3, true",
    "userD, node1, false"
  })
  void nodesOfProjects(String owner, String node, boolean expected) {
    assertEquals(expected, reservable(SamplePrograms.BY_PROJECT, owner, node(node, true, 0, 0)));
  }

  private static String why(String expression) {
    ReservableRule.ReservableAnswer answer =
        rule("[ PLUS_NODE_RESERVABLE = " + expression + " ]", NONE)
            .answer(question("userA", node("node1", true, 0.5, 2)), moment());
    assertFalse(answer.reservable());
    return answer.reason();
  }

  private static boolean is(String expression) {
    return rule("[ PLUS_NODE_RESERVABLE = " + expression + " ]", NONE)
        .answer(question("userA", node("node1", true, 0.5, 2)), moment())
        .reservable();
  }

  @Test
  void aNoHasItsReason() {
    assertEquals("PLUS_NODE_RESERVABLE is false", why("1 > 2"));
    assertEquals("PLUS_NODE_RESERVABLE is undefined", why("nowhere"));
    assertEquals("PLUS_NODE_RESERVABLE is undefined", why("PLUS_NODE_RESERVABLE"));
    assertEquals("PLUS_NODE_RESERVABLE is error", why("1 / 0"));
    assertEquals("PLUS_NODE_RESERVABLE is a string", why("\"yes\""));
    assertEquals(
        "PLUS_NODE_RESERVABLE was given up: a string is longer than 65536 characters",
        why("size(replaceAll(\"\", \"" + "x".repeat(60_000) + "\", \"y\"))"));
  }

  @Test
  void aTextSeesWhatANodeIsAndHas() {
    assertTrue(is("PLUS_CANDIDATE_NODE.nRunJobs == 2 && PLUS_CANDIDATE_NODE.loadavg == 0.5"));
    assertTrue(is("PLUS_CANDIDATE_NODE.arch == \"x86_64\" && PLUS_CANDIDATE_NODE.os == \"linux\""));
    assertTrue(is("PLUS_CANDIDATE_NODE.ncpus == 4 && PLUS_CANDIDATE_NODE.mem == 8 * (1 << 30)"));
    assertTrue(is("PLUS_CANDIDATE_NODE.gpus == 2 && PLUS_CANDIDATE_NODE.isAlive"));
    assertTrue(is("PLUS_CANDIDATE_NODE.fpgas is undefined"));
    assertTrue(
        is(
            "sum(PLUS_ALL_NODES.ncpus) == 4 && PLUS_ALLOCATED_NODES.name is error"
                + " || size(PLUS_ALLOCATED_NODES) == 0"));
  }

  @Test
  void functionsOfPluS() {
    assertTrue(is("linear(5, 0, 0, 10, 100) == 50"));
    assertTrue(is("linear(20, 0, 0, 10, 100) == 200"));
    assertTrue(is("linear(relTime(\"1h\"), relTime(\"30m\"), 90, relTime(\"2h\"), 60) == 80"));
    assertTrue(is("quadratic(5, 0, 0, 10, 100) == 25"));
    assertTrue(is("quadratic(0, 0, 7, 10, 100) == 7 && quadratic(10, 0, 7, 10, 100) == 100"));
    assertTrue(
        is(
            "isError(linear(1, 2, 3, 2, 4)) && isError(linear(1)) && isError(quadratic(\"x\", 1, 2,"
                + " 3, 4))"));
    assertTrue(is("isUndefined(linear(nowhere, 1, 2, 3, 4))"));
    assertTrue(
        is("isError(plus_rsvutil(\"a\", 1, 2)) && isUndefined(plus_rsvutil(nowhere, 1, 2))"));
    assertTrue(is("plus_rsvutil(PLUS_RSV_OWNER, PLUS_RSV_START, PLUS_RSV_END)[0] == 0"));
  }
}
