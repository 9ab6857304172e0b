package io.millrace.server.core.input;

import io.millrace.schemas.fact.InputsRead;
import io.millrace.schemas.state.Scheduler;
import io.millrace.server.core.share.GroupStarts;
import io.millrace.server.core.state.Copies;
import io.millrace.server.core.state.State;

/** Applies what is known of the inputs of a scheduler's policy. */
public final class Appliers {

  public void apply(State state, InputsRead fact) {
    Scheduler before = state.schedulers().get(fact.getScheduler());
    Scheduler after =
        before == null
            ? Scheduler.newBuilder().setName(fact.getScheduler()).build()
            : Copies.of(before);
    GroupStarts.inputs(after, fact.getInputs());
    after.setInputs(fact.getInputs());
    state.schedulers().put(fact.getScheduler(), after);
  }
}
