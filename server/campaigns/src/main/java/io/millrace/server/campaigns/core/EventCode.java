package io.millrace.server.campaigns.core;

import io.millrace.schemas.campaign.CampaignEvent;
import io.millrace.schemas.campaign.NoticeSeverity;

/** What events are about, and what mends it. CiGri has the first three too. */
public enum EventCode {
  EXIT_ERROR(
      NoticeSeverity.HIGH, "see what the job wrote; gridevents -e %d -f -r has the task run again"),
  SUBMIT_ERROR(
      NoticeSeverity.MEDIUM,
      "gridstat -c shows the reason; the event ends when the queue takes a task"),
  NOT_BEGUN(
      NoticeSeverity.MEDIUM,
      "see what the job asks for; the event ends when a task of the campaign begins there"),
  BLACKLIST(NoticeSeverity.HIGH, "gridevents -e %d -f has tasks sent there again"),
  TASK_REFUSED(
      NoticeSeverity.HIGH, "no queue takes this task's job; gridevents -e %d -f gives the task up"),
  KILLED(
      NoticeSeverity.HIGH,
      "find out who deletes its jobs; gridevents -e %d -f -r has the task run again"),
  DELETED(
      NoticeSeverity.HIGH,
      "mend what the reason names; gridevents -e %d -f -r has the task run again"),
  PROLOGUE_ERROR(
      NoticeSeverity.HIGH,
      "see what it wrote; gridevents -e %d -f -r has it run again, without -r it was done by hand"),
  EPILOGUE_ERROR(
      NoticeSeverity.HIGH,
      "see what it wrote; gridevents -e %d -f -r has it run again, without -r it was done by hand"),
  QUEUE_UNKNOWN(
      NoticeSeverity.MEDIUM,
      "qmgr -c 'create queue ...', or griddel; it ends when there is such a queue"),
  QUEUE_DISABLED(NoticeSeverity.MEDIUM, "qenable; it ends when the queue takes jobs"),
  QUEUE_STOPPED(NoticeSeverity.MEDIUM, "qstart; it ends when the queue's jobs may run"),
  CLUSTER_STOPPED(
      NoticeSeverity.MEDIUM, "gridevents -e %d -f, by an operator, has tasks sent there again"),
  NO_NODE(
      NoticeSeverity.MEDIUM,
      "pbsnodes -l shows the nodes that are away; it ends when one is there"),
  NIGHT_QUEUE_LOST(
      NoticeSeverity.MEDIUM,
      "a manager sets the queue's night_queue again; until then all of it is best effort by night");

  private final NoticeSeverity severity;
  private final String cure;

  EventCode(NoticeSeverity severity, String cure) {
    this.severity = severity;
    this.cure = cure;
  }

  /** How much it matters: what ends by itself less than what somebody has to mend. */
  NoticeSeverity severity() {
    return severity;
  }

  /** What mends an event. */
  public static String cure(CampaignEvent event) {
    EventCode code = valueOf(event.getCode());
    boolean follows = event.getCampaign() == 0 || !event.getMessage().isEmpty();
    return code == BLACKLIST && follows
        ? "it ends with event " + event.getBecause()
        : String.format(code.cure, event.getId());
  }
}
