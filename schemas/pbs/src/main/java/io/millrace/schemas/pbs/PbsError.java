package io.millrace.schemas.pbs;

/**
 * PBS's errors with their numbers and texts, which users and scripts know. Errors of Millrace's
 * own, for which PBS has no number, begin at 15400. Some of PBS's texts end with a blank; an error
 * without a text gets its text where it is raised.
 */
public enum PbsError {
  UNKNOWN_JOB(15001, "Unknown Job Id"),
  UNDEFINED_ATTRIBUTE(15002, "Undefined attribute "),
  READ_ONLY_ATTRIBUTE(15003, "Cannot set attribute, read only or insufficient permission "),
  INVALID_REQUEST(15004, "Invalid request"),
  UNAUTHORIZED(15007, "Unauthorized Request "),
  HOST_REFUSED(15008, "Access from host not allowed, or unknown host"),
  SYSTEM(15010, "System error"),
  INTERNAL(15011, ""),
  INCIDENT(15012, "Internal error, incident"),
  UNKNOWN_SIGNAL(15013, "Unknown/illegal signal name"),
  ILLEGAL_VALUE(15014, "Illegal attribute or resource value"),
  MODIFY_WHILE_RUNNING(15015, "Cannot modify attribute while job running "),
  BAD_STATE(15016, "Request invalid for state of job"),
  UNKNOWN_QUEUE(15018, "Unknown queue"),
  BAD_CREDENTIAL(15019, ""),
  QUEUE_NOT_ENABLED(15021, "Queue is not enabled"),
  QUEUE_ACCESS(15022, "Access to queue is denied"),
  BAD_UID(15023, "Bad UID for job execution"),
  QUEUE_EXISTS(15025, "Queue already exists"),
  WRONG_QUEUE_TYPE(15026, "Incompatible type"),
  /** The same number, where an attribute is not one of the queue's type. */
  ATTRIBUTE_OF_OTHER_TYPE(15026, "Warning: type of queue "),
  OBJECT_BUSY(15027, "Cannot delete busy object"),
  QUEUE_NAME_LONG(15028, "Queue name is too long"),
  UNSUPPORTED(15029, "No support for requested service"),
  QUEUE_INCOMPLETE(15030, "Cannot enable queue, incomplete definition"),
  PROTOCOL(15031, "Batch protocol error"),
  NO_SERVER(15034, ""),
  UNKNOWN_RESOURCE(15035, "Unknown resource"),
  LIMITS_VIOLATED(15036, "Job violates queue and/or server resource limits"),
  NO_DEFAULT_QUEUE(15037, "No default queue specified"),
  NOT_RERUNNABLE(15038, "job is not rerunnable"),
  ROUTE_REFUSED(15039, "Job rejected by all possible destinations"),
  ROUTE_EXPIRED(15040, "Route queue lifetime exceeded"),
  BAD_GID(15045, "Bad GID for job execution"),
  QUEUE_FULL(15046, "Maximum number of jobs already in queue"),
  BAD_DEPENDENCY(15054, "Invalid Job Dependency"),
  DUPLICATE_ENTRY(15055, "Duplicate entry in list "),
  SERVER_BUSY(15060, "Server could not accept the request, too many are waiting"),
  UNKNOWN_NODE(15062, "Unknown node "),
  NODE_EXISTS(15066, "Node name already exists"),
  ILLEGAL_NODE_STATE(15067, "Illegal value for node state"),
  MUTUALLY_EXCLUSIVE(15068, "Mutually exclusive values for "),
  UNKNOWN_RESERVATION(15084, "Unknown Reservation Id"),
  RESERVATION_ENDS(15085, "Delete already in progress"),
  BAD_TIMES(15086, "Bad time specification(s)"),
  BAD_NODES(15089, "node(s) specification error"),
  RESERVATION_HOST(15092, "Host machine not authorized to submit reservations"),
  RESERVATION_GROUP(15093, "Requestor's group not authorized to submit reservations"),
  RESERVATION_USER(15094, "Requestor not authorized to make reservations"),
  /** The same number, where nobody is. */
  RESERVATIONS_OFF(15094, "reservations disallowed on "),
  RESERVATION_UID(15095, "Bad effective UID for reservation"),
  NO_SCHEDULER(15099, "Could not contact Scheduler"),
  RESOURCE_NOT_STRING(15100, "Resource is not of type string or array_of_strings"),
  ARRAY_TOO_LARGE(15107, "Array job exceeds server or queue size limit"),
  INVALID_IN_SELECT(15108, "Resource invalid in \"select\" specification"),
  NOT_BESIDE_SELECT(
      15109, "\"-lresource=\" cannot be used with \"select\" or \"place\", resource is: "),
  NODES_BESIDE_SELECT(15110, "Cannot be used with select or place: "),
  PLACE_WITHOUT_SELECT(15111, "Cannot have \"place\" without \"select\""),
  TWICE_IN_CHUNK(
      15116, "duplicated resource within a section of a select specification, resource is: "),
  BAD_FORMULA(15123, "Invalid Formula Format"),
  BAD_FORMULA_KEYWORD(15124, "Formula contains invalid keyword"),
  BAD_FORMULA_TYPE(15125, "Formula contains a resource of an invalid type"),
  RULE_YEARLY(15126, "YEARLY recurrence duration cannot exceed 1 year"),
  RULE_MONTHLY(15127, "MONTHLY recurrence duration cannot exceed 1 month"),
  RULE_WEEKLY(15128, "WEEKLY recurrence duration cannot exceed 1 week"),
  RULE_DAILY(15129, "DAILY recurrence duration cannot exceed 24 hours"),
  RULE_HOURLY(15130, "HOURLY recurrence duration cannot exceed 1 hour"),
  RULE_MINUTELY(15131, "MINUTELY recurrence duration cannot exceed 1 minute"),
  RULE_SECONDLY(15132, "SECONDLY recurrence duration cannot exceed 1 second"),
  BAD_RULE(15133, "Undefined iCalendar syntax"),
  RULE_UNBOUNDED(15134, "Undefined iCalendar syntax. A valid COUNT or UNTIL is required"),
  BAD_ZONE(15135, "Unrecognized PBS_TZID environment variable"),
  QUEUE_TYPE_NEEDED(15137, "Queue type must be set"),
  ELIGIBLE_TIME_OFF(15138, "Cannot set attribute when eligible_time_enable is OFF"),
  JOB_FINISHED(15139, "Job has finished"),
  HISTORY_OFF(15140, "PBS is not configured to maintain job history"),
  MIXED_LIMITS(15141, "Cannot mix old and new style queue/run limit enforcement types"),
  COUNT_LIMIT(15142, ""),
  AMOUNT_LIMIT(15143, ""),
  RESERVATION_PLACE(15156, "job and reservation have conflicting specification"),
  SUBJOB_FINISHED(15159, "Request invalid for finished array subjob"),
  NO_SHRINKING_RESERVATION(
      15164, "\"min_walltime\" and \"max_walltime\" are not valid resources for a reservation"),
  RESOURCE_BUSY(15174, "Resource busy on "),
  RESERVATION_NOT_EMPTY(15178, "Reservation not empty"),
  OCCURRENCE_CONFLICT(15179, "Requested time(s) will interfere with a later occurrence"),
  RESERVATION_OF_RESERVED(
      15181, "Reservation may not be created from a job already within a reservation"),
  RESERVATION_OF_ARRAY(15182, "Reservation may not be created from an array job"),
  SELECT_NOT_SUBSET(15183, "New select must be made up of a subset of the original chunks"),
  /** The command was not decided; the client may send it again. */
  TRY_AGAIN(15208, "Try the request again later"),
  SCHEDULER_EXISTS(15211, "Scheduler already exists"),
  SCHEDULER_NAME_LONG(15212, "Scheduler name is too long"),
  UNKNOWN_SCHEDULER(15213, "Unknown Scheduler"),
  DEFAULT_SCHEDULER_STAYS(15214, "Can not delete Scheduler"),
  PRIV_FOLDER_TAKEN(15215, "Another scheduler also has same value for its sched_priv directory"),
  LOG_FOLDER_TAKEN(15216, "Another scheduler also has same value for its sched_log directory"),
  ROUTE_WITHOUT_PARTITION(15217, "Cannot assign a partition to route queue"),
  PARTITION_WITHOUT_ROUTE(15218, "Route queues are incompatible with the partition attribute "),
  NODE_QUEUE_NOT_IN_PARTITION(15219, "Queue %s is not part of partition for node"),
  NODE_PARTITION_NOT_OF_QUEUE(15220, "Partition %s is not part of queue for node"),
  INVALID_QUEUE_PARTITION(15221, "Invalid partition in queue"),
  DEFAULT_SCHEDULER_ONLY(15223, "Operation is not permitted on default scheduler"),
  PARTITION_TAKEN(15224, "Partition is already associated with other scheduler"),
  FORMULAS_DIFFER(15226, "Server's job_sort_formula value is incompatible with sched's"),
  NODE_BUSY(15227, "Node is busy"),
  DEFAULT_PARTITION_NAME(15228, "Default partition name is not allowed"),
  NOT_AN_ARRAY(15231, "Attribute has to be set on an array job"),
  STALE_PROPOSAL(15400, "Proposal of an engine that no longer holds the scheduler object"),
  NO_ROOM(15401, "Nodes cannot hold the proposed run"),
  COMMAND_FAMILY(15402, "Writer's role may not write this command"),
  COMMAND_TOO_OLD(15403, "Command is older than the memory of answers"),
  UNKNOWN_SCRIPT(15404, "Script text is needed"),
  WRONG_PLACEMENT(15405, "Proposed run is not placed as the job asks, place="),
  /** PBS has no number for this: its schedulers answer qrun with a text. */
  INSUFFICIENT(15406, "Insufficient amount of resource"),
  /** This copy of the command is not carried out; nothing is said about earlier ones. */
  COMMAND_LATE(15407, "Command came after its deadline"),
  /** Neither this copy of the submission is carried out nor any other up to its deadline. */
  WITHDRAWN(15408, "Submission is withdrawn"),
  /** PBS has no such bounds. */
  RESERVATION_LIMIT(15409, "Too many reservations"),
  /** A run would hold its nodes when they are booked. */
  BOOKED(15410, "Nodes are booked by a reservation"),
  /** What an administrator has written about reservations keeps them off the node. */
  NOT_RESERVABLE(15411, "Node may not be reserved"),
  /** A run of nodes of a cluster of another system is one job there. */
  SEVERAL_CLUSTERS(15412, "Nodes of a run have to be of one cluster");

  private static final int STATUS_BITS = 0xff;

  private final int code;
  private final String text;

  PbsError(int code, String text) {
    this.code = code;
    this.text = text;
  }

  /** The error's number, as in a reply. */
  public int code() {
    return code;
  }

  /** The error's number as the exit status of a command. */
  public int exitStatus() {
    return exitStatus(code);
  }

  /** Exit status of a command that was refused with this error number. */
  public static int exitStatus(int code) {
    return code & STATUS_BITS;
  }

  public String text() {
    return text;
  }

  /** The text with the subject inserted. */
  public String text(String subject) {
    return text.contains("%s") ? text.formatted(subject) : text + subject;
  }
}
