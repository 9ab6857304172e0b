package io.millrace.server.core.job.route;

import io.millrace.schemas.fact.JobRouteRefused;
import io.millrace.schemas.fact.RoutingAdvanced;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.Queue;
import io.millrace.schemas.state.Route;
import io.millrace.server.core.Copies;
import io.millrace.server.core.JobTable;
import io.millrace.server.core.Keys;
import io.millrace.server.core.State;
import io.millrace.server.core.shard.Timers;

/** Applies what becomes of jobs in routing queues. */
public final class Appliers {

  public void apply(State state, JobRouteRefused fact) {
    Job before = state.jobs().get(Keys.number(Keys.jobNumber(fact.getJobId())));
    Job after = Copies.of(before);
    after.setRoute(new Route(fact.getRefused(), before.getRoute().getEnteredMs()));
    JobTable.replace(state, before, after);
  }

  public void apply(State state, RoutingAdvanced fact) {
    Queue queue = Copies.of(state.queues().get(fact.getQueue()));
    queue.setRoutingRank(fact.getRank());
    queue.setRetryMs(fact.getRetryMs());
    state.queues().put(queue.getName(), queue);
    if (fact.getRetryMs() >= 0) {
      Timers.set(state, fact.getRetryMs(), Timers.ROUTING, queue.getName());
    }
  }
}
