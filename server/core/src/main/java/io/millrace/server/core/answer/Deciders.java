package io.millrace.server.core.answer;

import io.millrace.schemas.state.Timer;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;

/** Decides when answers are forgotten. */
public final class Deciders {

  public Decision answers(Context c, Timer timer) {
    return AnswerMemory.forget(c, timer);
  }
}
