package io.millrace.schedulers.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.schedulers.core.cycle.Records;
import io.millrace.schemas.command.RecordCycle;
import io.millrace.schemas.command.RunJob;
import io.millrace.schemas.common.ClassReason;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.engine.EngineSeat;
import io.millrace.schemas.fact.LimitGranted;
import io.millrace.schemas.fact.ObjectWritten;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.Test;

/** What an engine does where its shard has leased too little of what the server has. */
class LeasedAmountsTest extends EngineFixture {

  /** What the shard tells of its lease with each refusal. */
  private List<SpecificRecord> withRefusals = List.of();

  private ObjectWritten server(String ncpus) {
    return new ObjectWritten(
        meta(NOBODY),
        Records.object(ObjectKind.SERVER, "server", "resources_available.ncpus", ncpus));
  }

  private LimitGranted told(long left, boolean exhausted) {
    return new LimitGranted(meta(NOBODY), "ncpus@running", left, left, exhausted);
  }

  private void start(EngineSeat seat, int jobs) throws InterruptedException {
    engine = new EngineThreads().start(seat, snapshot("True"));
    List<SpecificRecord> facts = new ArrayList<>(List.of(server("100")));
    for (int i = 1; i <= jobs; i++) {
      facts.add(queued(i, "ncpus=1"));
    }
    engine.hear(facts);
  }

  /** What is proposed first; reasons may be told before. */
  private List<RunJob> nextRuns() throws InterruptedException {
    long end = System.nanoTime() + DEADLINE_NANOS;
    List<RunJob> runs = runs();
    while (runs.isEmpty() && System.nanoTime() < end) {
      Thread.onSpinWait();
      runs = runs();
    }
    return runs;
  }

  private void refuse(List<RunJob> runs) {
    runs.forEach(run -> engine.answered(run.getMeta().getId(), Planner.NO_LEASE));
    engine.hear(withRefusals);
  }

  /** Reasons that are told until there is one with a code. */
  private ClassReason reason(String code) throws InterruptedException {
    long end = System.nanoTime() + DEADLINE_NANOS;
    List<String> codes = new ArrayList<>();
    while (System.nanoTime() < end) {
      for (SpecificRecord said : next()) {
        if (said instanceof RecordCycle record) {
          engine.answered(record.getMeta().getId(), 0);
          for (ClassReason reason : record.getReasons()) {
            codes.add(reason.getCode());
            if (reason.getCode().equals(code)) {
              return reason;
            }
          }
        } else if (said instanceof RunJob run) {
          refuse(List.of(run));
        }
      }
      Thread.onSpinWait();
    }
    throw new AssertionError("not told within the deadline: " + code + ", but " + codes);
  }

  @Test
  void whatIsRefusedTogetherStartsWhenThereIsALease() throws InterruptedException {
    start(seat(), 10);
    List<RunJob> first = nextRuns();
    assertEquals(8, first.size());
    refuse(first);
    engine.hear(List.of(told(50, false)));
    assertEquals(8, nextRuns().size());
  }

  @Test
  void whereNoOneAnswersTheRefusalIsTheReason() throws InterruptedException {
    start(seat(), 1);
    assertEquals("15406", reason("BACKING_OFF").getSubject());
  }

  @Test
  void whereOthersHaveTheRestTheLimitIsTheReason() throws InterruptedException {
    start(seat(), 3);
    withRefusals = List.of(told(0, true));
    refuse(nextRuns());
    assertEquals(100, reason("RESOURCE_LIMIT").getTotal());
    assertEquals(1, nextRun().getShares().get(0).getAmounts().get("ncpus"), "after two seconds");
  }

  @Test
  void anEngineApartGoesByWhatIsToldOfTheLease() throws InterruptedException {
    start(new EngineSeat("default", 3, 0, "vm", wakes::incrementAndGet, false), 8);
    assertEquals(8, nextRuns().size());
    engine.hear(List.of(told(1, true)));
    List<SpecificRecord> said = next();
    assertEquals(1, said.stream().filter(RunJob.class::isInstance).count());
    assertEquals(
        List.of("RESOURCE_LIMIT"),
        said.stream()
            .filter(RecordCycle.class::isInstance)
            .flatMap(it -> ((RecordCycle) it).getReasons().stream())
            .map(ClassReason::getCode)
            .toList());
  }
}
