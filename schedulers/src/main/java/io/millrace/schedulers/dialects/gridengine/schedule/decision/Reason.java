package io.millrace.schedulers.dialects.gridengine.schedule.decision;

import java.util.List;

/**
 * Why a job waits or a queue is left out: a code, and the names and numbers that belong to it.
 *
 * @param details in the order in which the code's text quotes them
 */
public record Reason(Code code, List<String> details) {

  /** Codes of reasons, with the texts of Grid Engine's scheduling information. */
  public enum Code {
    QUEUE_FULL("queue instance \"%s\" dropped because it is full"),
    QUEUE_DISABLED("queue instance \"%s\" dropped because it is disabled"),
    QUEUE_UNAVAILABLE("queue instance \"%s\" dropped because it is temporarily not available"),
    QUEUE_OVERLOADED("queue instance \"%s\" dropped because it is overloaded: %s"),
    ALL_QUEUES_DROPPED("All queues dropped because of overload or full"),
    CANNOT_RUN_GLOBALLY("(-l %s) cannot run globally because %s"),
    CANNOT_RUN_AT_HOST("(-l %s) cannot run at host \"%s\" because %s"),
    CANNOT_RUN_IN_QUEUE("(-l %s) cannot run in queue \"%s\" because %s"),
    PE_SLOTS("cannot run in PE \"%s\" because it only offers %s slots"),
    PE_TOTAL_SLOTS("cannot run because total slots of PE \"%s\" not in range of job"),
    PE_NO_ACCESS("cannot run because no access to PE \"%s\""),
    PE_NOT_OF_QUEUE("cannot run in queue \"%s\" because PE \"%s\" is not in PE list"),
    NO_PE_MATCHES("no matching PE found"),
    NOT_IN_QUEUE_LIST(
        "cannot run in queue \"%s\" because it is not contained in its hard queue list (-q)"),
    REFUSED_AT_HOST(
        "queue instance \"%s\" left out because the server has refused to start the job there"),
    NOT_BATCH("cannot run in queue instance \"%s\" because it is not of type batch"),
    NOT_INTERACTIVE("cannot run in queue \"%s\" because it is not of type interactive"),
    NO_PERMISSION("has no permission for %s \"%s\""),
    NO_PROJECT("(no project) does not have the correct project to run in %s \"%s\""),
    WRONG_PROJECT("(project %s) does not have the correct project to run in %s \"%s\""),
    FORCED_OF_QUEUE("does not request 'forced' resource \"%s\" of queue instance %s"),
    FORCED_OF_HOST("does not request 'forced' resource \"%s\" of host %s"),
    FORCED_GLOBALLY("does not request globally 'forced' resource \"%s\""),
    USER_LIMIT("job dropped because of user limitations"),
    LIMIT("cannot run because it exceeds limit \"%s\": %s of %s in use"),
    HELD("Job is in hold state"),
    DEPENDS("job dropped because of job dependencies"),
    TOO_EARLY("execution time not reached"),
    WORK_LIMIT("not looked at: the run was too long; more important jobs come first"),
    NOT_AT_ONCE("cannot start at once, as -now y asks"),
    TASK_LIMIT("not all array tasks may be started due to 'max_aj_instances'");

    private final String text;

    Code(String text) {
      this.text = text;
    }
  }

  public static Reason of(Code code, String... details) {
    return new Reason(code, List.of(details));
  }

  /** The reason as a line of scheduling information. */
  public String text() {
    return String.format(code.text, details.toArray());
  }
}
