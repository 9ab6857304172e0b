package io.millrace.schedulers.engine;

import io.millrace.schedulers.core.cycle.BestEffort;
import io.millrace.schedulers.core.cycle.CycleDecisions;
import io.millrace.schedulers.core.cycle.Preempt;
import io.millrace.schedulers.core.cycle.SchedulerState;
import io.millrace.schedulers.core.cycle.Start;
import io.millrace.schedulers.core.state.promise.Promise;
import io.millrace.schemas.output.LogNote;
import io.millrace.schemas.pbs.jobs.JobNumbers;
import io.millrace.schemas.pbs.reasons.ReasonText;
import io.millrace.schemas.pbs.resources.ResourceTable;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What the day log of a scheduler says of its cycles, in the words of PBS's scheduler. The texts
 * are made in the engine, as only it knows why; somebody else writes them. What {@code log_events}
 * leaves out is not even made.
 */
final class CycleNotes {

  /** Most lines about one cycle; a cycle over many classes of jobs is told by its first ones. */
  static final int MOST = 200;

  // Bits of log_events, as PBS numbers them and uses them for these lines.
  private static final int SCHED = 0x0040;
  private static final int DEBUG = 0x0080;
  private static final int DEBUG2 = 0x0100;
  private static final int DEBUG3 = 0x0400;

  private static final String JOB = "Job";
  private static final String REQUEST = "Req";
  private static final String SCHEDULER = "Sched";
  private static final String NOT_RUNNING = "Not Running: ";
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("EEE MMM d HH:mm:ss yyyy", Locale.ROOT)
          .withZone(ZoneId.systemDefault());

  private final SchedulerState state;
  private final String server;
  private final ResourceTable resources = ResourceTable.of(List.of());
  private List<LogNote> notes = List.of();
  private int wanted;
  private int left;
  private long atUs;

  /** Those that waited when the cycle began. */
  private int classes;

  CycleNotes(SchedulerState state, String server) {
    this.state = state;
    this.server = server;
  }

  /**
   * A cycle begins.
   *
   * @param events the bits of log_events that are wanted
   */
  void begin(Instant at, int events) {
    notes = new ArrayList<>();
    wanted = events;
    left = 0;
    atUs = at.getEpochSecond() * 1_000_000 + at.getNano() / 1_000;
    add(DEBUG, REQUEST, "", "Starting Scheduling Cycle");
    classes = state.waiting().waitingClasses();
  }

  /** What the cycle decided under a policy of the core. */
  void decided(CycleDecisions decisions) {
    if ((wanted & DEBUG3) != 0) {
      String text = "Number of job equivalence classes: " + classes;
      add(DEBUG3, SCHEDULER, "create_resresv_sets", text);
    }
    for (Preempt stop : decisions.preempted()) {
      String first = JobNumbers.id(stop.forNumber(), server);
      add(DEBUG, JOB, first, "Employing preemption to try and run high priority job.");
      String text = "Job preempted " + how(stop.letters());
      add(SCHED, JOB, JobNumbers.id(stop.jobNumber(), server), text);
    }
    for (Start start : decisions.starts()) {
      considered(start.jobNumber());
    }
    decisions.left().forEach(this::left);
    for (Promise promise : decisions.promises()) {
      if (promise.dated()) {
        String when = TIME.format(Instant.ofEpochMilli(promise.fromMs()));
        String id = JobNumbers.id(promise.jobNumber(), server);
        add(DEBUG2, JOB, id, "Job is a top job and will run at " + when);
      }
    }
  }

  /** What followed for best-effort jobs. */
  void gaveWay(BestEffort.BestEffortOutcome round) {
    for (Preempt stop : round.stops()) {
      String text = "Job preempted for " + JobNumbers.id(stop.forNumber(), server);
      add(SCHED, JOB, JobNumbers.id(stop.jobNumber(), server), text);
    }
    if (round.rest() != null) {
      round.rest().starts().forEach(start -> considered(start.jobNumber()));
    }
  }

  void considered(long number) {
    add(DEBUG2, JOB, JobNumbers.id(number, server), "Considering job to run");
  }

  /** A class of which no more jobs start is told of by its first job, as in PBS. */
  private void left(CycleDecisions.Left jobs) {
    long number = state.waiting().firstOf(jobs.owner());
    if (number < 0 || (wanted & (DEBUG | DEBUG2)) == 0 || isFull()) {
      return;
    }
    considered(number);
    String comment = ReasonText.pbsComment(jobs.shortage().reason(), resources);
    if (!comment.isEmpty()) {
      String text =
          comment.startsWith(NOT_RUNNING) ? comment.substring(NOT_RUNNING.length()) : comment;
      add(DEBUG, JOB, JobNumbers.id(number, server), text);
    }
  }

  private static String how(String letters) {
    return switch (letters.isEmpty() ? ' ' : letters.charAt(0)) {
      case 'S' -> "by suspension";
      case 'R' -> "by requeuing";
      case 'D' -> "by deletion";
      default -> "";
    };
  }

  /**
   * The cycle is over.
   *
   * @param cut how long it was allowed to take, when it ended for that; null otherwise
   * @return all that is to be said of it
   */
  List<LogNote> end(Duration took, Duration cut) {
    atUs += took.toNanos() / 1_000;
    if (cut != null) {
      String text =
          "Leaving the scheduling cycle: Cycle duration of %d seconds has exceeded %s of %d seconds"
              .formatted(took.toSeconds(), "sched_cycle_length", cut.toSeconds());
      say(DEBUG2, REQUEST, "toolong", text);
    }
    if (left > 0) {
      say(DEBUG2, REQUEST, "", left + " more lines about this cycle are left out");
    }
    say(DEBUG, REQUEST, "", "Leaving Scheduling Cycle");
    List<LogNote> all = notes;
    notes = List.of();
    return all;
  }

  private boolean isFull() {
    boolean full = notes.size() >= MOST;
    left += full ? 1 : 0;
    return full;
  }

  private void add(int event, String kind, String name, String text) {
    if ((wanted & event) != 0 && !isFull()) {
      notes.add(new LogNote(atUs, event, kind, name, text));
    }
  }

  private void say(int event, String kind, String name, String text) {
    if ((wanted & event) != 0) {
      notes.add(new LogNote(atUs, event, kind, name, text));
    }
  }
}
