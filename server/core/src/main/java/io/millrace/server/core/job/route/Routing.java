package io.millrace.server.core.job.route;

import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.fact.RoutingAdvanced;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.Queue;
import io.millrace.schemas.state.Routed;
import io.millrace.schemas.state.Timer;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import io.millrace.server.core.placement.PartitionTable;
import io.millrace.server.core.placement.RouteQueue;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.work.RoutingWork;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * When jobs in routing queues are tried: each one alone when it has come or has changed, and all
 * that wait in a pass, in their order, when the queue's retry time is over or the queue was
 * started. A pass ends early when all destinations are closed.
 */
public final class Routing {
  /** Kind of the timers; the subject is the queue. */
  static final String TIMER = "routing";

  /**
   * Name of the continued work on a queue's jobs; the cursor is "queue/rank/bits", the bits those
   * of destinations in other shards that have said in this pass that they are closed.
   */
  static final String PASS = "routing-pass";

  /** Name of the continued work that begins a pass; the cursor is the queue. */
  static final String BEGIN = "routing-begin";

  private static final long NO_PASS = -1;
  private static final long NO_RETRY = -1;

  /** Less the bits of closed destinations. */
  private static final long AWAITS_ANSWER = -2;

  private static final int LOOKED_AT_ONCE = 200;
  private static final int FACTS_AT_ONCE = 100;

  private Routing() {}

  /**
   * Schedules the attempt to route a job that was just submitted. A job that was tried in this
   * decision waits for the retry time of its queue, which is set once for all jobs of a command.
   */
  public static void entered(Context c, Job job, boolean tried, Decision decision) {
    RouteQueue queue = job.getRoute() == null ? null : queue(c, job.getSpec().getQueue());
    if (queue == null) {
      return;
    }
    if (!tried && queue.routes(job)) {
      RoutingWork.soon(c, job, decision);
    } else if (queue.awaits(job) && !armed(queue, decision)) {
      arm(c, queue, decision);
    }
  }

  private static boolean armed(RouteQueue queue, Decision decision) {
    return decision.facts().stream()
        .anyMatch(it -> it instanceof RoutingAdvanced set && set.getQueue().equals(queue.name()));
  }

  /** Begins a pass over the jobs of a changed routing queue. */
  public static void changed(Context c, ClusterObject queue, Decision decision) {
    if (RouteQueue.is(queue) && c.view().queues().get(queue.getName()) != null) {
      decision.goOn(c, BEGIN, queue.getName());
    }
  }

  /** Tries one job. */
  static Decision job(Context c, String jobId) {
    Decision decision = Decision.none();
    Job job = c.job(jobId);
    RouteQueue queue = waiting(job) ? queue(c, job.getSpec().getQueue()) : null;
    if (queue == null) {
      return decision;
    }
    RouteAttempts attempts = new RouteAttempts(c, queue, decision);
    if (queue.started() && queue.expired(job, c.nowMs())) {
      attempts.abort(job, PbsError.ROUTE_EXPIRED);
    } else if (queue.routes(job)) {
      left(c, queue, attempts, attempts.attempt(job), decision);
    } else if (queue.awaits(job)) {
      arm(c, queue, decision);
    }
    return decision;
  }

  private static boolean waiting(Job job) {
    return job != null
        && job.getRoute() != null
        && (job.getStatus() == JobStatus.QUEUED || job.getStatus() == JobStatus.HELD);
  }

  private static RouteQueue queue(Context c, String name) {
    ClusterObject object = PartitionTable.queue(c.view(), name);
    return object == null ? null : RouteQueue.of(object);
  }

  /** Sets the timer of the next pass, unless a pass is under way or the timer is set. */
  private static void arm(Context c, RouteQueue queue, Decision decision) {
    Queue now = c.view().queues().get(queue.name());
    // The queue has no record before its first job.
    if (now == null || (now.getRoutingRank() == NO_PASS && now.getRetryMs() == NO_RETRY)) {
      advance(c, queue, NO_PASS, queue.nextMs(c.nowMs()), decision);
    }
  }

  /** Handles a job that was not routed when it was tried alone. */
  private static void left(
      Context c,
      RouteQueue queue,
      RouteAttempts attempts,
      RouteAttempts.RouteAttemptEnd end,
      Decision decision) {
    boolean pass = c.view().queues().get(queue.name()).getRoutingRank() != NO_PASS;
    if (end == RouteAttempts.RouteAttemptEnd.BUSY && !pass) {
      advance(c, queue, 0, AWAITS_ANSWER - queue.bits(attempts.closedAway()), decision);
    } else if (end == RouteAttempts.RouteAttemptEnd.LATER) {
      arm(c, queue, decision);
    }
  }

  private static void advance(
      Context c, RouteQueue queue, long rank, long retryMs, Decision decision) {
    decision.fact(new RoutingAdvanced(c.stamp(), queue.name(), rank, retryMs));
  }

  private static void goOn(Context c, String queue, long rank, long bits, Decision decision) {
    String cursor = queue + "/" + rank + "/" + bits;
    decision.goOn(c, PASS, cursor);
  }

  /** Handles the timer of a queue's retry time; nothing to do when another pass has begun since. */
  static void due(Context c, Timer timer, Decision decision) {
    Queue now = c.view().queues().get(timer.getSubject());
    if (now != null && now.getRetryMs() == timer.getDueMs()) {
      begin(c, timer.getSubject(), decision);
    }
  }

  /** Begins a pass, if none is under way. */
  static Decision begin(Context c, String name) {
    Decision decision = Decision.none();
    begin(c, name, decision);
    return decision;
  }

  private static void begin(Context c, String name, Decision decision) {
    RouteQueue queue = queue(c, name);
    Queue now = c.view().queues().get(name);
    if (queue == null || now == null || now.getRoutingRank() != NO_PASS) {
      return;
    }
    boolean any = queue.started() && !inOrder(c, name, 0, 1).isEmpty();
    if (any) {
      advance(c, queue, 0, NO_RETRY, decision);
      goOn(c, name, 0, 0, decision);
    } else if (now.getRetryMs() != NO_RETRY) {
      advance(c, queue, NO_PASS, NO_RETRY, decision);
    }
  }

  private static List<Routed> inOrder(Context c, String queue, long rank, int most) {
    List<Routed> found = new ArrayList<>();
    c.view()
        .routed()
        .scan(
            Keys.routed(queue, rank),
            queue + "/" + Character.MAX_VALUE,
            (key, routed) -> found.add(routed) && found.size() < most);
    return found;
  }

  /** The next part of a pass. */
  static Decision pass(Context c, String cursor) {
    Decision decision = Decision.none();
    String[] parts = cursor.split("/");
    String name = parts[0];
    long rank = Long.parseLong(parts[1]);
    long bits = parts.length > 2 ? Long.parseLong(parts[2]) : 0;
    Queue now = c.view().queues().get(name);
    RouteQueue queue = queue(c, name);
    if (queue == null || now == null || now.getRoutingRank() != rank) {
      return decision;
    }
    RouteAttempts attempts = new RouteAttempts(c, queue, decision, queue.named(bits));
    boolean any = queue.started() && !attempts.allClosed();
    List<Routed> part = any ? inOrder(c, name, rank, LOOKED_AT_ONCE) : List.of();
    boolean over = part.size() < LOOKED_AT_ONCE;
    long next = rank;
    for (Routed routed : part) {
      Job job = c.view().jobs().get(Keys.number(routed.getNumber()));
      RouteAttempts.RouteAttemptEnd end = look(c, queue, attempts, job);
      if (end == RouteAttempts.RouteAttemptEnd.BUSY) {
        advance(c, queue, routed.getRank(), AWAITS_ANSWER - bits, decision);
        return decision;
      }
      next = routed.getRank() + 1;
      if (attempts.allClosed()) {
        over = true;
        break;
      }
      if (decision.facts().size() >= FACTS_AT_ONCE) {
        over = false;
        break;
      }
    }
    if (over) {
      boolean later = queue.started() && waits(c, queue);
      advance(c, queue, NO_PASS, later ? queue.nextMs(c.nowMs()) : NO_RETRY, decision);
    } else {
      advance(c, queue, next, NO_RETRY, decision);
      goOn(c, name, next, bits, decision);
    }
    return decision;
  }

  private static RouteAttempts.RouteAttemptEnd look(
      Context c, RouteQueue queue, RouteAttempts attempts, Job job) {
    if (waiting(job) && queue.expired(job, c.nowMs())) {
      attempts.abort(job, PbsError.ROUTE_EXPIRED);
      return RouteAttempts.RouteAttemptEnd.GONE;
    }
    return waiting(job) && queue.routes(job)
        ? attempts.attempt(job)
        : RouteAttempts.RouteAttemptEnd.LATER;
  }

  /** Whether some job of the queue, as it was before this decision, is to be tried again. */
  private static boolean waits(Context c, RouteQueue queue) {
    List<Routed> first = inOrder(c, queue.name(), 0, LOOKED_AT_ONCE);
    return first.size() == LOOKED_AT_ONCE
        || first.stream()
            .map(it -> c.view().jobs().get(Keys.number(it.getNumber())))
            .anyMatch(it -> waiting(it) && queue.awaits(it));
  }

  /** Goes on with a pass that was interrupted because too many offers were unanswered. */
  public static void answered(Context c, String name, Decision decision) {
    answered(c, name, 0, decision);
  }

  private static void answered(Context c, String name, long closed, Decision decision) {
    Queue now = c.view().queues().get(name);
    if (now != null && now.getRetryMs() <= AWAITS_ANSWER) {
      long bits = AWAITS_ANSWER - now.getRetryMs() | closed;
      goOn(c, name, now.getRoutingRank(), bits, decision);
    }
  }

  /**
   * A destination in another shard has refused the job, which is kept: those behind it are tried.
   * When it refuses all jobs, the pass offers it no more of them, and goes on for the others. A job
   * whose queue was stopped meanwhile, or sends held ones on no more, stays where it is.
   *
   * @param job as it was offered
   */
  public static void refused(Context c, Job job, int code, Decision decision) {
    RouteQueue queue = queue(c, job.getSpec().getQueue());
    if (queue == null) {
      return;
    }
    String by = job.getOfferedQueue();
    List<String> refused = new ArrayList<>(job.getRoute().getRefused());
    if (!RouteAttempts.passing(code)) {
      refused.add(by);
    }
    int from = queue.destinations().indexOf(by) + 1;
    Set<String> closed = RouteAttempts.closed(code) ? Set.of(by) : Set.of();
    RouteAttempts attempts = new RouteAttempts(c, queue, decision, closed);
    if (queue.routes(!job.getHolds().equals("n"))) {
      left(c, queue, attempts, attempts.attempt(job, from, refused), decision);
    } else {
      attempts.note(job, new HashSet<>(refused));
      RoutingWork.soon(c, job, decision);
    }
    answered(c, queue.name(), queue.bits(closed), decision);
  }
}
