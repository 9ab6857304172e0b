package io.millrace.server.core.handover;

import io.millrace.schemas.common.FactMeta;
import io.millrace.schemas.common.Script;
import io.millrace.schemas.fact.AnswersTaken;
import io.millrace.schemas.fact.FormerQueueForgotten;
import io.millrace.schemas.fact.JobAccepted;
import io.millrace.schemas.fact.JobHandedOver;
import io.millrace.schemas.fact.JobKept;
import io.millrace.schemas.fact.JobOfferRefused;
import io.millrace.schemas.fact.JobOffered;
import io.millrace.schemas.fact.NodeAccepted;
import io.millrace.schemas.fact.NodeHandedOver;
import io.millrace.schemas.fact.NodeKept;
import io.millrace.schemas.fact.NodeOffered;
import io.millrace.schemas.fact.QueuesArrived;
import io.millrace.schemas.fact.WhereaboutsForgotten;
import io.millrace.schemas.fact.WhereaboutsNoted;
import io.millrace.schemas.state.Arrival;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.Node;
import io.millrace.schemas.state.ShardState;
import io.millrace.schemas.state.StoredScript;
import io.millrace.schemas.state.Timer;
import io.millrace.schemas.state.Whereabouts;
import io.millrace.server.core.answer.AnswerMemory;
import io.millrace.server.core.job.depend.waiting.Dependents;
import io.millrace.server.core.state.ArrayStates;
import io.millrace.server.core.state.Copies;
import io.millrace.server.core.state.JobRecords;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.state.ShardNumbers;
import io.millrace.server.core.state.State;
import io.millrace.server.core.state.Timers;
import io.millrace.server.core.work.LeavingWork;
import java.util.ArrayList;
import java.util.List;

/** Applies both sides of hand-overs. */
public final class Appliers {

  /** After a refusal; the other shard has heard of most changes by then. */
  private static final long LEAVING_PAUSE_MS = 1_000;

  /** Kind of the timers of marks of jobs that were here; the subject is the key of the job. */
  private static final String MARK_TIMER = "whereabouts";

  /** By then the birth shard has long been told, so that nobody asks here any more. */
  private static final long POINTER_MS = 10 * 60_000L;

  public void apply(State state, JobOffered fact) {
    Job before = job(state, fact.getJobId());
    String detail = "to shard " + fact.getTo() + ", queue " + fact.getQueue();
    Job after = Copies.withEvent(before, fact.getMeta().getAtMs(), "offered", detail);
    after.setStatus(JobStatus.TRANSIT);
    after.setOfferedTo(fact.getTo());
    after.setOfferedQueue(fact.getQueue());
    after.setWaiting(fact.getWaiting());
    JobRecords.replace(state, before, after);
  }

  public void apply(State state, JobAccepted fact) {
    Job job = Copies.of(fact.getJob());
    Script script = fact.getScript();
    if (script != null && state.scripts().get(Keys.script(script.getHash())) == null) {
      state
          .scripts()
          .put(
              Keys.script(script.getHash()),
              new StoredScript(script.getHash(), script.getText(), 0L));
    }
    JobRecords.replace(state, null, job);
    Dependents.arrive(state, fact.getDependents());
    state.whereabouts().remove(Keys.number(job.getNumber()));
    ShardState numbers = Copies.of(ShardNumbers.of(state));
    numbers.setNextRank(job.getRank() + ArrayStates.ranks(job));
    state.numbers().put(Keys.NUMBERS, numbers);
  }

  /** The refusal is on record; nothing here changes. */
  public void apply(State state, JobOfferRefused fact) {}

  public void apply(State state, JobHandedOver fact) {
    Job before = job(state, fact.getJobId());
    JobRecords.replace(state, before, null);
    String key = Keys.number(before.getNumber());
    state.whereabouts().put(key, new Whereabouts(before.getNumber(), fact.getTo()));
    if (before.getBirthShard() != state.shard()) {
      Timers.set(state, fact.getMeta().getAtMs() + POINTER_MS, MARK_TIMER, key);
    }
  }

  public void apply(State state, JobKept fact) {
    Job before = job(state, fact.getJobId());
    String detail = "offer refused, code " + fact.getCode();
    Job after = Copies.withEvent(before, fact.getMeta().getAtMs(), "kept", detail);
    after.setStatus(before.getHolds().equals("n") ? JobStatus.QUEUED : JobStatus.HELD);
    after.setOfferedTo(-1);
    after.setOfferedQueue("");
    after.setWaiting(null);
    JobRecords.replace(state, before, after);
    leaveAgain(state, fact.getMeta(), LeavingWork.JOB + fact.getJobId());
  }

  /**
   * Moves the times at which what was refused leaves again, and at which marks are forgotten; both
   * are lengths of time.
   */
  public static void setBack(State state, long byMs) {
    List<Timer> moved = new ArrayList<>();
    state
        .timers()
        .scan(
            "",
            null,
            (key, timer) -> {
              if (timer.getKind().equals(LeavingWork.WORK) || timer.getKind().equals(MARK_TIMER)) {
                moved.add(timer);
              }
              return true;
            });
    for (Timer timer : moved) {
      Timers.move(state, timer.getDueMs(), timer.getKind(), timer.getSubject(), byMs);
    }
  }

  private static void leaveAgain(State state, FactMeta refused, String what) {
    Timers.set(state, refused.getAtMs() + LEAVING_PAUSE_MS, LeavingWork.WORK, what);
  }

  public void apply(State state, QueuesArrived fact) {
    for (String queue : fact.getQueues()) {
      state.arrivals().put(queue, new Arrival(queue, fact.getFrom(), fact.getChange()));
    }
  }

  public void apply(State state, AnswersTaken fact) {
    fact.getAnswers().forEach(answer -> AnswerMemory.remember(state, answer));
    if (fact.getLast()) {
      List<String> over = new ArrayList<>();
      state
          .arrivals()
          .scan(
              "",
              null,
              (queue, arrival) -> {
                if (arrival.getFrom() == fact.getFrom()) {
                  over.add(queue);
                }
                return true;
              });
      over.forEach(state.arrivals()::remove);
    }
  }

  public void apply(State state, FormerQueueForgotten fact) {
    FormerQueues.forget(state, fact.getName());
  }

  public void apply(State state, WhereaboutsNoted fact) {
    String key = Keys.number(fact.getNumber());
    if (fact.getPurged()) {
      state.whereabouts().remove(key);
    } else {
      state.whereabouts().put(key, new Whereabouts(fact.getNumber(), fact.getShard()));
    }
  }

  public void apply(State state, WhereaboutsForgotten fact) {
    state.whereabouts().remove(Keys.number(fact.getNumber()));
  }

  public void apply(State state, NodeOffered fact) {
    Node node = Copies.of(state.nodes().get(fact.getName()));
    node.setOfferedTo(fact.getTo());
    state.nodes().put(fact.getName(), node);
  }

  public void apply(State state, NodeAccepted fact) {
    state.nodes().put(fact.getNode().getName(), fact.getNode());
  }

  public void apply(State state, NodeHandedOver fact) {
    state.nodes().remove(fact.getName());
  }

  public void apply(State state, NodeKept fact) {
    Node node = Copies.of(state.nodes().get(fact.getName()));
    node.setOfferedTo(-1);
    state.nodes().put(fact.getName(), node);
    leaveAgain(state, fact.getMeta(), LeavingWork.NODE + fact.getName());
  }

  private static Job job(State state, String jobId) {
    return state.jobs().get(Keys.number(Keys.jobNumber(jobId)));
  }
}
