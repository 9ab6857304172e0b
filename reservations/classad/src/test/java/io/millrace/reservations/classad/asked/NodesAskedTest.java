package io.millrace.reservations.classad.asked;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.reservations.classad.plus.NodeRecord;
import io.millrace.reservations.classad.plus.Utilisation;
import io.millrace.reservations.classad.tree.Expression.RecordExpression;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** All questions of one reservation have a bound together. */
class NodesAskedTest {

  private static final NodesAsked.Enquiry ANN = new NodesAsked.Enquiry(1, "ann", 1000, 2000, 500);
  private static final RecordExpression NODE =
      new NodeRecord(
              "n",
              new NodeRecord.NodeCondition(true, 0, 0),
              new NodeRecord.NodePlatform("x86_64", "linux"),
              new NodeRecord.Size(4, 1L << 30),
              Map.of())
          .attributes();

  private static NodesAsked asked(String text, Utilisation utilisation, StepSum steps) {
    return new NodesAsked(
        LoadedRule.read(text, "UTC"), ANN, () -> List.of(NODE), utilisation, steps);
  }

  private static NodesAsked asked(String text, StepSum steps) {
    return asked(text, (owner, from, to) -> new Utilisation.ReservationSum(0, 0, 0), steps);
  }

  @Test
  void nodesAreRefusedOnceTheStepsOfAllAreUsedUp() {
    String text = "A = 1 + 1 + 1 + 1 + 1\nPLUS_NODE_RESERVABLE = A + A + A > 0\n";
    StepSum one = new StepSum();
    assertEquals("", asked(text, one).refusal("n1", NODE));
    assertTrue(one.used() > 20, () -> "steps " + one.used());
    StepSum few = new StepSum(one.used() * 5 / 2);
    NodesAsked first = asked(text, few);
    assertEquals("", first.refusal("n1", NODE));
    NodesAsked later = asked(text, few);
    assertEquals("", later.refusal("n1", NODE), "another occurrence");
    assertEquals("", first.refusal("n1", NODE), "a node that was given is not asked about");
    assertFalse(few.spent());
    assertEquals(few.reason(), first.refusal("n2", NODE));
    assertTrue(few.spent());
    long used = few.used();
    assertEquals(few.reason(), later.refusal("n3", NODE));
    assertEquals(used, few.used(), "nothing is evaluated any more");
  }

  @Test
  void reservationsThatAreLookedThroughCount() {
    StepSum steps = new StepSum(1000);
    Utilisation many =
        (owner, from, to) -> {
          steps.looked(10_000);
          return new Utilisation.ReservationSum(0, 0, 0);
        };
    String text =
        "PLUS_NODE_RESERVABLE = plus_rsvutil(PLUS_RSV_OWNER, absTime(0), PLUS_RSV_START)[0] == 0"
            + " && plus_rsvutil(\"bob\", absTime(0), PLUS_RSV_START)[0] == 0";
    assertEquals(steps.reason(), asked(text, many, steps).refusal("n1", NODE));
  }
}
