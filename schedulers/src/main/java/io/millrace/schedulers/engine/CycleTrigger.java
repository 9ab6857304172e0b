package io.millrace.schedulers.engine;

import io.millrace.schemas.fact.JobAccepted;
import io.millrace.schemas.fact.JobMoved;
import io.millrace.schemas.fact.JobQueued;
import io.millrace.schemas.fact.JobReleased;
import io.millrace.schemas.fact.NodeAccepted;
import io.millrace.schemas.fact.NodeCameUp;
import io.millrace.schemas.fact.NodeKept;
import io.millrace.schemas.fact.ObjectDeleted;
import io.millrace.schemas.fact.ObjectWritten;
import io.millrace.schemas.fact.ReservationAltered;
import io.millrace.schemas.fact.ReservationConfirmed;
import io.millrace.schemas.fact.ReservationDegraded;
import io.millrace.schemas.fact.ReservationEnded;
import io.millrace.schemas.fact.ReservationRetried;
import io.millrace.schemas.fact.ReservationReturned;
import io.millrace.schemas.fact.ReservationSettled;
import io.millrace.schemas.fact.ReservationStarted;
import io.millrace.schemas.fact.ReservationSubmitted;
import io.millrace.schemas.fact.RunFinished;
import io.millrace.schemas.fact.RunRequeued;
import io.millrace.schemas.fact.RunSuspended;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.avro.specific.SpecificRecord;

/**
 * What makes a cycle due. All but submissions have one at once, although {@code
 * job_accumulation_time} waits for further submissions; answers to commands, starts and deletions
 * are no triggers.
 */
enum CycleTrigger {
  /** Jobs came, also from another queue. */
  JOB("job"),
  /** Room was made by a run. */
  END("end"),
  /** A hold was taken away. */
  RELEASE("release"),
  NODE("node"),
  /** A reservation came, changed, began or ended. */
  RESERVATION("reservation"),
  /** An administrator changed an object. */
  CHANGE("change");

  private static final Map<Class<?>, CycleTrigger> BY_FACT =
      Map.ofEntries(
          Map.entry(JobQueued.class, JOB),
          Map.entry(JobAccepted.class, JOB),
          Map.entry(JobMoved.class, JOB),
          Map.entry(RunFinished.class, END),
          Map.entry(RunRequeued.class, END),
          Map.entry(RunSuspended.class, END),
          Map.entry(JobReleased.class, RELEASE),
          Map.entry(NodeCameUp.class, NODE),
          Map.entry(NodeAccepted.class, NODE),
          Map.entry(NodeKept.class, NODE),
          Map.entry(ReservationSubmitted.class, RESERVATION),
          Map.entry(ReservationConfirmed.class, RESERVATION),
          Map.entry(ReservationAltered.class, RESERVATION),
          Map.entry(ReservationSettled.class, RESERVATION),
          Map.entry(ReservationStarted.class, RESERVATION),
          Map.entry(ReservationReturned.class, RESERVATION),
          Map.entry(ReservationDegraded.class, RESERVATION),
          Map.entry(ReservationRetried.class, RESERVATION),
          Map.entry(ReservationEnded.class, RESERVATION),
          Map.entry(ObjectWritten.class, CHANGE),
          Map.entry(ObjectDeleted.class, CHANGE));

  /** Name of a cycle that nothing but time made due. */
  private static final String TIME = "time";

  private final String word;

  CycleTrigger(String word) {
    this.word = word;
  }

  /** The trigger that a fact is; null for none. */
  static CycleTrigger of(SpecificRecord fact) {
    return BY_FACT.get(fact.getClass());
  }

  /** The words of these triggers. */
  static String words(Set<CycleTrigger> triggers) {
    return triggers.isEmpty()
        ? TIME
        : triggers.stream().map(it -> it.word).collect(Collectors.joining(","));
  }
}
