package io.millrace.schedulers.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schedulers.core.cycle.Records;
import io.millrace.schemas.Envelope;
import io.millrace.schemas.command.RecordCycle;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.engine.EngineSnapshot;
import io.millrace.schemas.fact.CommandAnswered;
import io.millrace.schemas.fact.ObjectWritten;
import io.millrace.schemas.output.CycleDone;
import io.millrace.schemas.output.LogNote;
import io.millrace.schemas.state.Answer;
import io.millrace.schemas.state.Job;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.Test;

/** When cycles begin and end, and what they tell. */
class EngineCyclesTest extends EngineFixture {
  private static Job[] waiting(int classes) {
    Job[] jobs = new Job[classes];
    for (int i = 0; i < classes; i++) {
      jobs[i] = Records.job(i + 1, "workq", 0, "ncpus=9,walltime=" + (i + 60));
    }
    return jobs;
  }

  /** All cycles of an engine, until all classes have been looked at. */
  private List<CycleDone> cycles(EngineSnapshot snapshot) throws InterruptedException {
    List<CycleDone> done = Collections.synchronizedList(new ArrayList<>());
    EngineLimits standard = EngineLimits.standard();
    EngineLimits limits =
        new EngineLimits(200_000, 10, standard.expiry(), Duration.ofHours(1), standard.watchdog());
    engine = new EngineThreads(limits, Optional.empty(), done::add).start(seat(), snapshot);
    for (List<SpecificRecord> said = next(); !said.isEmpty(); said = next()) {
      for (SpecificRecord it : said) {
        engine.answered(Envelope.ofCommand(it).getId(), 0);
      }
    }
    return List.copyOf(done);
  }

  @Test
  void sched_cycle_lengthEndsACycleAndTheNextGoesOn() throws InterruptedException {
    EngineSnapshot all = snapshot("True", waiting(3_000));
    List<CycleDone> whole = cycles(all);
    assertEquals(1, whole.size());
    assertFalse(whole.get(0).getLimitHit());
    engine.close();
    ClusterObject quick = scheduler("sched_cycle_length", "00:00:00", "log_events", "2047");
    List<CycleDone> parts = cycles(snapshot(quick, waiting(3_000)));
    assertTrue(parts.size() >= 3, parts.size() + " cycles");
    assertTrue(parts.get(0).getLimitHit());
    assertFalse(parts.get(parts.size() - 1).getLimitHit());
    String said = parts.get(0).getNotes().toString();
    assertTrue(said.contains("has exceeded sched_cycle_length of 0 seconds"), said);
    assertFalse(whole.get(0).getNotes().toString().contains("exceeded"));
  }

  @Test
  void attr_update_periodSaysHowOftenReasonsAreTold() throws InterruptedException {
    engine =
        new EngineThreads()
            .start(seat(), snapshot(scheduler("attr_update_period", "2"), waiting(1)));
    assertEquals(1, next().size());
    long from = System.nanoTime();
    engine.hear(List.of(queued(2, "ncpus=9,walltime=5")));
    assertTrue(next(RecordCycle.class, DEADLINE_NANOS).isPresent());
    long took = System.nanoTime() - from;
    assertTrue(took > TimeUnit.MILLISECONDS.toNanos(1_500), took / 1_000_000 + " ms");
    assertTrue(took < TimeUnit.SECONDS.toNanos(20), took / 1_000_000 + " ms");
  }

  /** As in OpenPBS, where jobs of two users that ask for the same are one class otherwise. */
  @Test
  void aLimitOfUsersMakesAClassOfEach() throws InterruptedException {
    assertEquals(1, classes(Records.queue("workq")));
    engine.close();
    assertEquals(
        2,
        classes(
            Records.object(
                ObjectKind.QUEUE, "workq", "started", "True", "max_run", "[u:PBS_GENERIC=1]")));
  }

  /** What the first cycle says of three jobs for the same, one of them another user's. */
  private int classes(ClusterObject queue) throws InterruptedException {
    Job[] jobs = new Job[3];
    for (int i = 0; i < jobs.length; i++) {
      jobs[i] = Records.job(i + 1, "workq", 0, "ncpus=6,walltime=60");
    }
    jobs[2].getSpec().setOwner("bob");
    List<ClusterObject> objects =
        List.of(scheduler("log_events", "2047"), queue, Records.object(ObjectKind.NODE, "n1"));
    EngineSnapshot snapshot =
        SampleSnapshot.of(objects, List.of(Records.node("n1", "h1", 8, 1L << 32)), jobs);
    String said = "Number of job equivalence classes: ";
    return cycles(snapshot).get(0).getNotes().stream()
        .map(LogNote::getText)
        .filter(it -> it.startsWith(said))
        .mapToInt(it -> Integer.parseInt(it.substring(said.length())))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void whatACycleDidIsToldInPbssWords() throws InterruptedException {
    Job[] jobs = {
      Records.job(1, "workq", 0, "ncpus=6,walltime=60"),
      Records.job(2, "workq", 0, "ncpus=4,walltime=60")
    };
    ClusterObject all = scheduler("log_events", "2047", "strict_ordering", "True");
    List<LogNote> notes = cycles(snapshot(all, jobs)).get(0).getNotes();
    List<String> lines =
        notes.stream().map(it -> it.getEvent() + " " + it.getName() + " " + it.getText()).toList();
    assertEquals("128  Starting Scheduling Cycle", lines.get(0));
    assertEquals("1024 create_resresv_sets Number of job equivalence classes: 2", lines.get(1));
    assertEquals("256 1.vm Considering job to run", lines.get(2));
    assertEquals("256 2.vm Considering job to run", lines.get(3));
    assertEquals("128 2.vm Insufficient amount of resource: ncpus (R: 4 A: 2 T: 8)", lines.get(4));
    assertTrue(lines.get(5).startsWith("256 2.vm Job is a top job and will run at "), lines.get(5));
    assertEquals("128  Leaving Scheduling Cycle", lines.get(6));
    assertEquals(7, lines.size());
    assertTrue(notes.get(6).getAtUs() > notes.get(0).getAtUs());
    engine.close();
    List<LogNote> usual = cycles(snapshot("True", jobs)).get(0).getNotes();
    assertEquals(3, usual.size(), "767 has no 256 and 1024: " + usual);
    engine.close();
    List<CycleDone> none = cycles(snapshot(scheduler("log_events", "0"), jobs));
    assertEquals(List.of(), none.get(0).getNotes());
    engine.close();
    List<CycleDone> off = cycles(snapshot("False", jobs));
    assertEquals(List.of(), off.get(0).getNotes(), "PBS has no cycle with scheduling off");
    engine.close();
    int many = cycles(snapshot(all, waiting(3_000))).get(0).getNotes().size();
    assertTrue(many > 100 && many < 210, many + " lines");
  }

  @Test
  void submissionsMayAccumulate() throws InterruptedException {
    start(EngineLimits.standard());
    next();
    ClusterObject patient =
        Records.object(
            ObjectKind.SCHEDULER, "default", "scheduling", "True", "job_accumulation_time", "2");
    engine.hear(List.of(new ObjectWritten(meta(NOBODY), patient)));
    next();
    long begin = System.nanoTime();
    // A live shard tells the answer to each submission with it.
    engine.hear(List.of(queued(1, "ncpus=1"), answered()));
    assertEquals(List.of(), runs());
    engine.hear(List.of(queued(2, "ncpus=1"), answered()));
    assertEquals(List.of(), runs());
    assertEquals("1.vm", nextRun().getJobId());
    assertTrue(System.nanoTime() - begin >= TimeUnit.SECONDS.toNanos(2));
  }

  private CommandAnswered answered() {
    Answer answer =
        Answer.newBuilder().setId(NOBODY).setCode(0).setLines(List.of()).setGivenRound(1).build();
    return new CommandAnswered(meta(NOBODY), answer);
  }

  @Test
  void nothingElseThanTimeOrAChangeEndsTheAccumulation() throws InterruptedException {
    start(EngineLimits.standard());
    next();
    ClusterObject patient =
        Records.object(
            ObjectKind.SCHEDULER, "default", "scheduling", "True", "job_accumulation_time", "3600");
    engine.hear(List.of(new ObjectWritten(meta(NOBODY), patient)));
    next();
    engine.hear(List.of(queued(1, "ncpus=1"), answered()));
    assertEquals(List.of(), runs());
    engine.hear(List.of(new ObjectWritten(meta(NOBODY), patient)));
    assertEquals("1.vm", nextRun().getJobId());
  }
}
