package io.millrace.server.core.run.outside;

import io.millrace.schemas.command.ReportRunAnswered;
import io.millrace.schemas.command.ReportRunOutside;
import io.millrace.schemas.fact.RunOutsideAnswered;
import io.millrace.schemas.fact.RunOutsideNoted;
import io.millrace.schemas.state.Job;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import io.millrace.server.core.run.finished.RunEndEffects;
import io.millrace.server.core.state.CutText;

/** Decides what becomes of the words of an outside system. */
public final class Deciders {

  /** More of it is cut off. */
  private static final int LONGEST = 300;

  public Decision decide(Context c, ReportRunOutside command) {
    Job job = RunEndEffects.current(c, command.getJobId(), command.getRun());
    String text = CutText.line(command.getText(), LONGEST);
    return job == null || job.getComment().equals(text)
        ? Decision.none()
        : Decision.none().fact(new RunOutsideNoted(c.stamp(), job.getId(), job.getRun(), text));
  }

  /** The same answer to the same order is noted once. */
  public Decision decide(Context c, ReportRunAnswered command) {
    Job job = RunEndEffects.current(c, command.getJobId(), command.getRun());
    String order = CutText.line(command.getOrder(), OutsideAnswers.ORDER_LONGEST);
    String text = CutText.line(command.getText(), LONGEST);
    return job == null || OutsideAnswers.isKnown(job, order, command.getRefused(), text)
        ? Decision.none()
        : Decision.none()
            .fact(
                new RunOutsideAnswered(
                    c.stamp(), job.getId(), job.getRun(), order, command.getRefused(), text));
  }
}
