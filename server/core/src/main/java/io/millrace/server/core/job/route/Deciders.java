package io.millrace.server.core.job.route;

import io.millrace.schemas.command.Continue;
import io.millrace.schemas.state.Timer;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;

/** Decides when jobs in routing queues are tried. */
public final class Deciders {

  public Decision routing(Context c, Timer timer) {
    Decision decision = Decision.fired(c, timer);
    Routing.due(c, timer, decision);
    return decision;
  }

  public Decision routingJob(Context c, Continue work) {
    return Routing.job(c, work.getCursor());
  }

  public Decision routingPass(Context c, Continue work) {
    return Routing.pass(c, work.getCursor());
  }

  public Decision routingBegin(Context c, Continue work) {
    return Routing.begin(c, work.getCursor());
  }
}
