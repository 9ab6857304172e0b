package io.millrace.server.core.shard;

import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.fact.AnswersForgotten;
import io.millrace.schemas.fact.TimerFailed;
import io.millrace.schemas.fact.TimerFired;
import io.millrace.schemas.fact.WhereaboutsForgotten;
import io.millrace.schemas.state.Timer;
import io.millrace.server.core.Context;
import io.millrace.server.core.Decision;
import io.millrace.server.core.Keys;
import io.millrace.server.core.Shard;
import io.millrace.server.core.State;
import io.millrace.server.core.handover.FormerQueues;
import io.millrace.server.core.job.hold.StartTimes;
import io.millrace.server.core.job.route.Routing;
import java.util.ArrayList;
import java.util.List;

/** What happens when a timer is due. */
public final class Timers {
  /** Kinds of timers. */
  public static final String PURGE = "purge";

  public static final String ANSWERS = "answers";
  public static final String WHEREABOUTS = "whereabouts";
  public static final String CHANGE = "change";
  public static final String PARKED = "parked";
  public static final String FORMER_QUEUE = "former-queue";
  public static final String ROUTING = "routing";
  public static final String EXECUTION = "execution";

  /** Of a Millrace that gave up the runs of a node by the clock; nothing follows from it. */
  public static final String NODE_LOST = "node-lost";

  private static final int ANSWERS_AT_ONCE = 200;

  /** A timer that fails is tried again after this time, then twice this time, and so on. */
  private static final long RETRY_MS = 60_000;

  private static final int TRIES_MAX = 6;

  private Timers() {}

  public static void set(State state, long dueMs, String kind, String subject) {
    String key = Keys.timer(dueMs, kind, subject);
    if (state.timers().get(key) == null) {
      state.timers().put(key, new Timer(dueMs, kind, subject, 0));
    }
  }

  public static Decision decide(Context c, Timer timer) {
    Decision decision = Decision.none();
    switch (timer.getKind()) {
      case PURGE -> {
        fired(c, timer, decision);
        io.millrace.server.core.job.purge.Purge.decide(c, timer.getSubject(), decision);
      }
      case ANSWERS -> forgetAnswers(c, timer, decision);
      case EXECUTION -> {
        fired(c, timer, decision);
        StartTimes.due(c, timer.getSubject(), decision);
      }
      case WHEREABOUTS -> {
        fired(c, timer, decision);
        decision.fact(new WhereaboutsForgotten(c.stamp(), Long.parseLong(timer.getSubject())));
      }
      case CHANGE -> {
        fired(c, timer, decision);
        io.millrace.server.core.cluster.Changes.late(c, timer.getSubject(), decision);
      }
      case PARKED -> {
        fired(c, timer, decision);
        Parking.late(c, timer.getSubject(), decision);
      }
      case FORMER_QUEUE -> {
        fired(c, timer, decision);
        FormerQueues.late(c, timer.getSubject(), decision);
      }
      case ROUTING -> {
        fired(c, timer, decision);
        Routing.due(c, timer, decision);
      }
      case NODE_LOST -> fired(c, timer, decision);
      default -> throw new IllegalStateException("timer of unknown kind " + timer.getKind());
    }
    return decision;
  }

  /**
   * A due timer whose decision threw: pushed out a few times, because the state that it stumbled on
   * may change, then given up for good.
   */
  public static Decision failed(Context c, Timer timer, String incident) {
    boolean again = timer.getFailures() + 1 < TRIES_MAX;
    long againMs = again ? c.nowMs() + (RETRY_MS << timer.getFailures()) : -1;
    return Decision.none().fact(new TimerFailed(c.stamp(), timer, incident, againMs));
  }

  private static void fired(Context c, Timer timer, Decision decision) {
    decision.fact(new TimerFired(c.stamp(), timer));
  }

  private static void forgetAnswers(Context c, Timer timer, Decision decision) {
    long oldestMs = c.nowMs() - Shard.COMMAND_MEMORY_MS;
    List<CommandId> ids = new ArrayList<>();
    c.view()
        .answers()
        .scan(
            "",
            null,
            (key, answer) -> {
              if (Keys.madeAtMs(answer.getId()) >= oldestMs || ids.size() == ANSWERS_AT_ONCE) {
                return false;
              }
              if (AnswerMemory.knownSinceMs(answer) < oldestMs) {
                ids.add(answer.getId());
              }
              return true;
            });
    if (!ids.isEmpty()) {
      decision.fact(new AnswersForgotten(c.stamp(), ids));
    }
    if (ids.size() < ANSWERS_AT_ONCE) {
      fired(c, timer, decision);
    }
  }
}
