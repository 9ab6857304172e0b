package io.millrace.connectors.local.order;

import io.millrace.connectors.local.run.RunId;
import io.millrace.schemas.output.AskRuns;
import io.millrace.schemas.output.RunName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers the roll call: reports ordered runs that are not known here. */
final class RollOrders {
  private static final Logger log = LoggerFactory.getLogger(RollOrders.class);

  private final OrderContext desk;

  RollOrders(OrderContext desk) {
    this.desk = desk;
  }

  /**
   * All orders before the question were carried out, and a run is forgotten only when the broker
   * has the report of its end: what is not known now was lost, or its end stands in the inbox
   * before this answer.
   */
  void carryOut(AskRuns question, long offset) {
    for (RunName run : question.getRuns()) {
      boolean known = false;
      try {
        known = desk.execution().knows(new RunId(run.getJobId(), run.getRun(), run.getTask()));
      } catch (IllegalArgumentException e) {
        log.error("asked after an illegally formed run: {}", e.getMessage());
      }
      if (!known) {
        log.warn("{} run {} was ordered and is not known here", run.getJobId(), run.getRun());
        desk.ways().sender().send(desk.ways().reports().missing(question.getShard(), run));
      }
    }
  }
}
