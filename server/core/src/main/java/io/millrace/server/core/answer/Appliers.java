package io.millrace.server.core.answer;

import io.millrace.schemas.fact.AnswerRoundEnded;
import io.millrace.schemas.fact.AnswersForgotten;
import io.millrace.schemas.fact.CommandAnswered;
import io.millrace.server.core.state.State;

/** Applies answers, as long as they are remembered. */
public final class Appliers {

  public void apply(State state, CommandAnswered fact) {
    AnswerMemory.remember(state, fact.getAnswer());
  }

  public void apply(State state, AnswersForgotten fact) {
    AnswerMemory.forgotten(state, fact);
  }

  public void apply(State state, AnswerRoundEnded fact) {
    AnswerMemory.ended(state, fact);
  }
}
