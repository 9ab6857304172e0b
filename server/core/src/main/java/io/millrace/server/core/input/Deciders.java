package io.millrace.server.core.input;

import io.millrace.schemas.command.NoteInputs;
import io.millrace.schemas.fact.InputsRead;
import io.millrace.schemas.state.PolicyInput;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import java.util.List;

/** Decides whether what programs said is news. */
public final class Deciders {

  public Decision decide(Context c, NoteInputs command) {
    String scheduler = command.getScheduler();
    List<PolicyInput> now =
        PolicyInputs.after(c.view(), scheduler, command.getReadings(), c.nowMs());
    boolean same = now.equals(PolicyInputs.of(c.view(), scheduler));
    return same ? Decision.none() : Decision.none().fact(new InputsRead(c.stamp(), scheduler, now));
  }
}
