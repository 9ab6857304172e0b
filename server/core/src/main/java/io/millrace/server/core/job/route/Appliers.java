package io.millrace.server.core.job.route;

import io.millrace.schemas.fact.JobRouteRefused;
import io.millrace.schemas.fact.RoutingAdvanced;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.Queue;
import io.millrace.schemas.state.Route;
import io.millrace.schemas.state.Routed;
import io.millrace.server.core.state.Copies;
import io.millrace.server.core.state.JobRecords;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.state.State;
import io.millrace.server.core.state.Timers;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Applies what becomes of jobs in routing queues. */
public final class Appliers {

  public void apply(State state, JobRouteRefused fact) {
    Job before = state.jobs().get(Keys.number(Keys.jobNumber(fact.getJobId())));
    Job after = Copies.of(before);
    after.setRoute(new Route(fact.getRefused(), before.getRoute().getEnteredMs()));
    JobRecords.replace(state, before, after);
  }

  public void apply(State state, RoutingAdvanced fact) {
    Queue queue = Copies.of(state.queues().get(fact.getQueue()));
    queue.setRoutingRank(fact.getRank());
    queue.setRetryMs(fact.getRetryMs());
    state.queues().put(queue.getName(), queue);
    if (fact.getRetryMs() >= 0) {
      Timers.set(state, fact.getRetryMs(), Routing.TIMER, queue.getName());
    }
  }

  /** Applies that the clock was set back: passes begin after as long as they would have. */
  public static void setBack(State state, long byMs) {
    List<Queue> waiting = new ArrayList<>();
    state.queues().scan("", null, (name, queue) -> queue.getRetryMs() < 0 || waiting.add(queue));
    for (Queue queue : waiting) {
      Timers.move(state, queue.getRetryMs(), Routing.TIMER, queue.getName(), byMs);
      Queue after = Copies.of(queue);
      after.setRetryMs(queue.getRetryMs() - byMs);
      state.queues().put(queue.getName(), after);
    }
  }

  /** Keeps the order of the jobs in routing queues. */
  public void follow(State state, Job before, Job after) {
    String was = place(before);
    String is = place(after);
    if (Objects.equals(was, is)) {
      return;
    }
    if (was != null) {
      // Another job may have taken the place already, as when two exchange theirs.
      Routed there = state.routed().get(was);
      if (there != null && there.getNumber() == before.getNumber()) {
        state.routed().remove(was);
      }
    }
    if (is != null) {
      state
          .routed()
          .put(is, new Routed(after.getSpec().getQueue(), after.getRank(), after.getNumber()));
    }
  }

  private static String place(Job job) {
    boolean routed = job != null && job.getRoute() != null && job.getStatus() != JobStatus.FINISHED;
    return routed ? Keys.routed(job.getSpec().getQueue(), job.getRank()) : null;
  }
}
