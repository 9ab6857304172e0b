package io.millrace.connectors.forward;

import io.millrace.connectors.bridge.run.OutsideRun;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** What users are told of a run that is outside. */
final class OutsideWords {

  private OutsideWords() {}

  /**
   * Where a run is, in one line; empty when it simply runs or is over.
   *
   * @param held whether it waits and is held there
   * @param trouble with its cluster or account, if there is some
   */
  static String of(OutsideRun run, boolean held, Optional<String> trouble) {
    String cluster = "cluster " + run.tag().cluster();
    String job = "Job " + run.id().map(Object::toString).orElse("") + " of " + cluster;
    return switch (run.state()) {
      case ORDERED ->
          "Not submitted to " + cluster + " yet" + trouble.map(it -> ": " + it).orElse("");
      case ABOUT_TO_SUBMIT -> "Whether " + cluster + " has taken it is looked for";
      case SUBMITTED, WAITING -> job + (held ? " is held there" : " waits there");
      case SUSPENDED -> job + " is suspended there";
      case NOT_HEARD_OF ->
          job
              + " is not heard of since "
              + run.since().truncatedTo(ChronoUnit.SECONDS)
              + trouble.map(it -> ": " + it).orElse("");
      case RUNNING, ENDING, ENDED -> "";
    };
  }

  /** The same and what else there is to say; where it is may be empty. */
  static String joined(String where, String more) {
    return where.isEmpty() ? more : where + "; " + more;
  }
}
