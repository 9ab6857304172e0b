package io.millrace.schedulers.core.cycle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schedulers.core.policy.Priority;
import io.millrace.schedulers.core.state.job.ReasonBook;
import io.millrace.schedulers.core.state.promise.PromiseNotes;
import io.millrace.schemas.common.ClassReason;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.resources.RequestClass;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PromiseNotesTest {

  private static final Instant NOW = Instant.ofEpochSecond(1_795_000_000);

  private final Map<String, ClassReason> told = new HashMap<>();
  private SchedulerState state;
  private PromiseNotes notes;
  private int messages;

  @BeforeEach
  void twoNodesOfEight() {
    state = new SchedulerState("default", 0, new Priority(), 1000);
    state
        .facts()
        .written(
            Records.object(
                ObjectKind.SCHEDULER, "default", "scheduling", "True", "policy", "conservative"));
    state.facts().written(Records.queue("workq"));
    node("n1");
    node("n2");
    notes = state.promiseNotes();
  }

  private void node(String name) {
    state.facts().written(Records.object(ObjectKind.NODE, name, "Mom", name));
    state.facts().node(Records.node(name, name, 8, 1L << 30));
  }

  private void submit(long number, String request) {
    state.facts().job(Records.job(number, "workq", 0, request));
  }

  /** A cycle and what is told after it: numbers, then what each job has. */
  private String cycle(int atOnce) {
    Cycle.run(state, NOW, 1_000_000);
    messages = 0;
    while (notes.due()) {
      notes.look();
      if (notes.hasChanges()) {
        messages++;
        ReasonBook.ReasonChanges changes = notes.take(atOnce);
        assertFalse(changes.isEmpty());
        assertFalse(notes.hasChanges(), "one message for a look");
        assertTrue(changes.reasons().size() + changes.cleared().size() <= atOnce);
        changes.cleared().forEach(key -> assertTrue(told.remove(key) != null, key));
        changes.reasons().forEach(reason -> told.put(reason.getClassKey(), reason));
      }
    }
    ClassReason numbers = told.get(RequestClass.PROMISES);
    return numbers == null ? "" : numbers.getSubject();
  }

  private String promise(long number) {
    ClassReason reason = told.get(RequestClass.promise(number));
    return (reason.getUntilMs() - NOW.toEpochMilli()) / 1000
        + reason.getShares().stream()
            .map(share -> " " + share.getNode() + "=" + share.getAmounts().get("ncpus"))
            .collect(Collectors.joining());
  }

  @Test
  void startsAndNodesAreToldAndTakenBack() {
    submit(1, "ncpus=8,walltime=100");
    submit(2, "ncpus=8,walltime=200");
    submit(3, "select=2:ncpus=8,walltime=50");
    submit(4, "ncpus=4,walltime=10");
    assertEquals("3,4", cycle(2));
    assertEquals(2, messages);
    assertEquals("200 n1=8 n2=8", promise(3));
    assertEquals("100 n1=4", promise(4));
    assertEquals("3,4", cycle(100));
    assertEquals(0, messages);
    state.facts().gone(2);
    // The third job may be no earlier than what was promised to the fourth, which starts now.
    assertEquals("3", cycle(100));
    assertEquals("110 n1=8 n2=8", promise(3));
    state.facts().gone(3);
    assertEquals("", cycle(2));
    assertEquals(Map.of(), told);
  }

  @Test
  void nothingIsToldAgainThatHasNotChanged() {
    submit(1, "select=2:ncpus=8,walltime=100");
    submit(2, "ncpus=8,walltime=100");
    assertEquals("2", cycle(100));
    submit(3, "ncpus=1,walltime=5");
    Cycle.run(state, NOW, 1_000_000);
    notes.look();
    ReasonBook.ReasonChanges changes = notes.take(100);
    assertEquals(
        List.of(RequestClass.promise(3), RequestClass.PROMISES),
        changes.reasons().stream().map(ClassReason::getClassKey).toList());
    assertEquals(List.of(), changes.cleared());
  }

  @Test
  void onlyThoseAreToldThatStartFirst() {
    submit(1, "select=2:ncpus=8,walltime=10");
    for (int number = 2; number <= 150; number++) {
      submit(number, "select=2:ncpus=8,walltime=10");
    }
    String numbers = cycle(7);
    assertEquals(100, numbers.split(",").length);
    assertTrue(numbers.startsWith("2,3,4,"));
    assertEquals(101, told.size());
    assertEquals("1000 n1=8 n2=8", promise(101));
  }

  @Test
  void aPlacementThatIsTooLongForAMessageIsNotTold() {
    for (int i = 100; i < 400; i++) {
      node("x".repeat(200) + i);
    }
    submit(1, "select=302:ncpus=8,walltime=100");
    submit(2, "select=302:ncpus=8,walltime=100");
    submit(3, "select=150:ncpus=8,walltime=100");
    submit(4, "select=150:ncpus=8,walltime=100");
    assertEquals("3,4", cycle(100));
    assertEquals(2, messages);
    assertEquals(150, told.get(RequestClass.promise(4)).getShares().size());
  }
}
