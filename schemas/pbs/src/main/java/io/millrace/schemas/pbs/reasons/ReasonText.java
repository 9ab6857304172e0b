package io.millrace.schemas.pbs.reasons;

import io.millrace.schemas.common.ClassReason;
import io.millrace.schemas.pbs.resources.Amounts;
import io.millrace.schemas.pbs.resources.ResourceKind;
import io.millrace.schemas.pbs.resources.ResourceTable;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.LongFunction;

/** Reasons in PBS's words, and as a plain sentence with numbers. */
public final class ReasonText {

  private static final String NO_NODES = "Not Running: No available resources on nodes";

  /** Code of all reasons of an Origin2000 policy; the words stand in their subject. */
  public static final String ORIGIN = "ORIGIN_COMMENT";

  private ReasonText() {}

  /** Comment of a waiting job in PBS's words; empty where PBS has none. */
  public static String pbsComment(ClassReason reason, ResourceTable table) {
    Optional<ReasonCode> code = ReasonCode.find(reason.getCode());
    if (code.isEmpty()) {
      if (reason.getCode().equals(ORIGIN)) {
        return reason.getSubject();
      }
      return gridEngine(reason) ? "Not Running: " + firstLine(reason.getSubject()) : "";
    }
    return switch (code.get()) {
      case QUEUE_NOT_STARTED -> "Not Running: Queue not started.";
      case RUN_LIMIT, RESOURCE_LIMIT ->
          LimitSubject.parse(reason.getSubject()).map(it -> atLimit(it, reason, table)).orElse("");
      case NO_NODES, NO_QUEUE_NODES, NO_UNBOUND_NODES -> NO_NODES;
      case NO_MATCH -> "Can Never Run: Insufficient amount of resource: " + reason.getSubject();
      case NEVER_FITS -> "Can Never Run: " + insufficient(reason, reason.getTotal(), table);
      case TOTAL_INSUFFICIENT -> "Not Running: " + insufficient(reason, reason.getFree(), table);
      case NODE_INSUFFICIENT, PLACE_INSUFFICIENT, CLUSTER_INSUFFICIENT ->
          "Not Running: Not enough free nodes available";
      case CLUSTER_NEVER -> "Can Never Run: Not enough total nodes available";
      case PLACE_NEVER ->
          scattered(reason.getSubject())
              ? NO_NODES
              : "Can Never Run: Not enough total nodes available";
      case SET_INSUFFICIENT ->
          "Not Running: Placement set " + reason.getSubject() + " has too few free resources";
      case SET_NEVER ->
          "Can Never Run: can't fit in the largest placement set, and can't span psets";
      case WOULD_DELAY, BOOKED -> "Not Running: Job would conflict with reservation or top job";
      case RESERVATION_AHEAD -> "Not Running: Queue not started.";
      case STRICT_ORDER -> "Not Running: Job would break strict sorted order";
      case UNDER_THRESHOLD -> "Not Running: Job is under job_sort_formula threshold value";
      case PREEMPTING -> "Not Running: Waiting for preempted jobs to be stopped";
      case NO_SHARES -> "Can Never Run: Job has zero shares for fairshare";
      case DEDICATED_TIME -> "Not Running: Dedicated time conflict";
      case CROSSES_DEDICATED -> "Not Running: Job would cross dedicated time boundary";
      case PRIME_ONLY -> "Not Running: Job will run in primetime only";
      case NON_PRIME_ONLY -> "Not Running: Job will run in nonprimetime only";
      case CROSSES_PERIOD -> "Not Running: Job will cross into " + reason.getSubject();
      case POLICY_WRONG -> "Not Running: The policy cannot be obeyed";
      case SCHEDULING_OFF, WORK_LIMIT, BACKING_OFF -> "";
    };
  }

  /**
   * True for scatter: PBS looks for a host for each chunk in turn, and does not report that there
   * are too few hosts.
   */
  private static boolean scattered(String place) {
    return List.of(place.split(":")).contains("scatter");
  }

  /**
   * One sentence for {@code why}, with the numbers and without a line end; times as an ISO text of
   * universal time.
   */
  public static String words(ClassReason reason, ResourceTable table) {
    return words(reason, table, Long.MIN_VALUE, ms -> Instant.ofEpochMilli(ms).toString());
  }

  /**
   * One sentence for {@code why}, with times shown as the caller wants. An expected end that has
   * passed is left out, since the true one is not known then.
   *
   * @param nowMs present time in milliseconds since 1970
   * @param time text of a time in milliseconds since 1970
   */
  public static String words(
      ClassReason reason, ResourceTable table, long nowMs, LongFunction<String> time) {
    boolean past = reason.getUntilMs() >= 0 && reason.getUntilMs() <= nowMs;
    return words(
        past ? ClassReason.newBuilder(reason).setUntilMs(-1).build() : reason, table, time);
  }

  private static String words(ClassReason reason, ResourceTable table, LongFunction<String> time) {
    Optional<ReasonCode> code = ReasonCode.find(reason.getCode());
    String subject = reason.getSubject();
    if (code.isEmpty()) {
      return ofDialect(reason);
    }
    return switch (code.get()) {
      case QUEUE_NOT_STARTED -> "Queue " + subject + " is not started.";
      case SCHEDULING_OFF -> "Scheduler " + subject + " has scheduling switched off.";
      case POLICY_WRONG ->
          "Its scheduler starts nothing, whose policy cannot be obeyed: " + subject + ".";
      case RUN_LIMIT -> runLimit(reason) + until(reason, time) + ".";
      case RESOURCE_LIMIT -> limited(reason, table) + until(reason, time) + ".";
      case NO_NODES -> "No node of partition " + subject + " is up and free to be used.";
      case NO_QUEUE_NODES -> "No node of queue " + subject + " is up and free to be used.";
      case NO_UNBOUND_NODES ->
          "Each node of partition "
              + subject
              + " that is up and free to be used is of another queue.";
      case NO_MATCH -> "No usable node has the property asked for: " + subject + ".";
      case NEVER_FITS, TOTAL_INSUFFICIENT, NODE_INSUFFICIENT ->
          insufficient(code.get(), reason, table, until(reason, time));
      case PLACE_INSUFFICIENT -> placeInsufficient(reason) + until(reason, time) + ".";
      case PLACE_NEVER -> placeNever(reason);
      case CLUSTER_INSUFFICIENT, CLUSTER_NEVER ->
          inNoCluster(code.get(), reason, until(reason, time));
      case SET_INSUFFICIENT, SET_NEVER -> inSets(code.get(), subject, until(reason, time));
      case WOULD_DELAY ->
          "It would fit now, but would delay job "
              + subject
              + ", which is to start"
              + (reason.getUntilMs() < 0 ? " earlier" : " at " + time.apply(reason.getUntilMs()))
              + ".";
      case BOOKED, RESERVATION_AHEAD -> reserved(code.get(), reason, time);
      case STRICT_ORDER ->
          "It must not start before job " + subject + ", which comes earlier and does not fit yet.";
      case UNDER_THRESHOLD ->
          "job_sort_formula gives of it no more than job_sort_formula_threshold, which is "
              + subject
              + ".";
      case WORK_LIMIT -> "The last cycle used up its units of work before it came to this job.";
      case NO_SHARES,
          DEDICATED_TIME,
          CROSSES_DEDICATED,
          PRIME_ONLY,
          NON_PRIME_ONLY,
          CROSSES_PERIOD ->
          ofSite(code.get(), reason, until(reason, time));
      case PREEMPTING ->
          "It waits for "
              + reason.getNeeded()
              + " preempted job"
              + (reason.getNeeded() == 1 ? "" : "s")
              + " to be gone, and starts then.";
      case BACKING_OFF ->
          "The server refused to run a job like this ("
              + (subject.equals("0") ? "which its scheduler does not hear" : "code " + subject)
              + "); it is tried again after a pause.";
    };
  }

  /** The words of a dialect, which has its own. */
  private static String ofDialect(ClassReason reason) {
    String subject = reason.getSubject();
    if (reason.getCode().equals(ORIGIN)) {
      return "The Origin2000 policy says: " + subject.replace('\n', ' ').strip() + ".";
    }
    return gridEngine(reason)
        ? "Grid Engine's scheduler says: " + firstLine(subject) + "."
        : "It waits for a reason that this version does not know: " + reason.getCode() + ".";
  }

  /** The words for what placement sets do not hold. */
  private static String inSets(ReasonCode code, String subject, String until) {
    return code == ReasonCode.SET_NEVER
        ? "It can never run here: it fits into no placement set of "
            + subject
            + ", not even when nothing runs, and its scheduler has do_not_span_psets."
        : "It has to lie in one placement set, and none has room for it now; the last one looked at"
            + " was "
            + subject
            + until
            + ".";
  }

  /** The words for what reservations say. */
  private static String reserved(ReasonCode code, ClassReason reason, LongFunction<String> time) {
    String subject = reason.getSubject();
    return code == ReasonCode.BOOKED
        ? "Reservation "
            + subject
            + " has booked nodes on which it could run otherwise"
            + until(reason, time)
            + "."
        : "It waits for its reservation " + subject + " to begin" + at(reason, time) + ".";
  }

  /** The words for what the calendar or the shares of a site say. */
  private static String ofSite(ReasonCode code, ClassReason reason, String until) {
    String subject = reason.getSubject();
    return switch (code) {
      case NO_SHARES ->
          "It can never run here: " + subject + " is entitled to no share of the cluster.";
      case DEDICATED_TIME ->
          "Jobs of queue " + subject + " do not run now, by the dedicated times" + until + ".";
      case CROSSES_DEDICATED -> "It would run into a dedicated time, or beyond the end of one.";
      case PRIME_ONLY -> "Jobs of queue " + subject + " run in prime time only.";
      case NON_PRIME_ONLY -> "Jobs of queue " + subject + " run in non-prime time only.";
      default -> "It would not end before " + subject + " begins.";
    };
  }

  /** The words for amounts that are not there. */
  private static String insufficient(
      ReasonCode code, ClassReason reason, ResourceTable table, String until) {
    String needed = amount(reason.getSubject(), reason.getNeeded(), table);
    String free = amount(reason.getSubject(), reason.getFree(), table);
    String total = amount(reason.getSubject(), reason.getTotal(), table);
    if (code == ReasonCode.NEVER_FITS) {
      return "It can never run here: it needs "
          + needed
          + ", and there is no more than "
          + total
          + " even when nothing runs.";
    }
    if (code == ReasonCode.TOTAL_INSUFFICIENT) {
      String there = free + " of " + total;
      return "It needs " + needed + "; " + there + " is free on all nodes together" + until + ".";
    }
    return "A chunk needs "
        + needed
        + " on one node; the most that is free on one node is "
        + free
        + " (the largest node has "
        + total
        + ")"
        + until
        + ".";
  }

  private static String placeNever(ClassReason reason) {
    return "It can never run here: place="
        + reason.getSubject()
        + " needs "
        + reason.getNeeded()
        + " suitable nodes, and there are "
        + reason.getTotal()
        + ".";
  }

  private static String inNoCluster(ReasonCode code, ClassReason reason, String until) {
    boolean never = code == ReasonCode.CLUSTER_NEVER;
    return (never ? "It can never run here: its" : "Its")
        + " nodes have to be all of one cluster of another system, or all of none, and none of"
        + " these has room for all its "
        + reason.getNeeded()
        + " chunks"
        + (never ? ", not even when nothing runs." : " now" + until + ".");
  }

  private static String placeInsufficient(ClassReason reason) {
    return "place="
        + reason.getSubject()
        + " needs room on "
        + reason.getNeeded()
        + " separate or empty nodes; "
        + reason.getFree()
        + " of "
        + reason.getTotal()
        + " have it now";
  }

  private static String runLimit(ClassReason reason) {
    return "It has reached the limit "
        + reason.getSubject()
        + ": "
        + (reason.getTotal() - reason.getFree())
        + " of "
        + reason.getTotal()
        + " are running"
        + (promised(reason) ? ", and what is left is promised to jobs before it" : "");
  }

  private static String limited(ClassReason reason, ResourceTable table) {
    String resource =
        LimitSubject.parse(reason.getSubject()).map(LimitSubject::resource).orElse("");
    return "It needs "
        + amount(resource, reason.getNeeded(), table)
        + "; the limit "
        + reason.getSubject()
        + " leaves "
        + value(resource, reason.getFree(), table)
        + " of "
        + value(resource, reason.getTotal(), table)
        + (promised(reason) ? ", promised to jobs before it" : "");
  }

  /** True when the limit is reached only because of promised jobs: what runs would leave enough. */
  private static boolean promised(ClassReason reason) {
    return reason.getNeeded() <= reason.getFree();
  }

  /**
   * True for a reason of a Grid Engine scheduler, which has its own words, the decisive line first.
   */
  private static boolean gridEngine(ClassReason reason) {
    return reason.getCode().startsWith("SGE_");
  }

  private static String firstLine(String text) {
    return text.lines().findFirst().orElse("");
  }

  private static String until(ClassReason reason, LongFunction<String> time) {
    return reason.getUntilMs() < 0 ? "" : " until " + time.apply(reason.getUntilMs());
  }

  private static String at(ClassReason reason, LongFunction<String> time) {
    return reason.getUntilMs() < 0 ? "" : " at " + time.apply(reason.getUntilMs());
  }

  private static String atLimit(LimitSubject limit, ClassReason reason, ResourceTable table) {
    if (!limit.ofAvailable()) {
      return "Not Running: " + limit.pbs();
    }
    boolean never = reason.getNeeded() > reason.getTotal();
    String owner = limit.queue().isEmpty() ? "server" : "queue";
    return (never ? "Can Never Run: " : "Not Running: ")
        + insufficient(
            owner + " resource",
            limit.resource(),
            reason,
            never ? reason.getTotal() : reason.getFree(),
            table);
  }

  private static String insufficient(ClassReason reason, long available, ResourceTable table) {
    return insufficient("resource", reason.getSubject(), reason, available, table);
  }

  private static String insufficient(
      String what, String resource, ClassReason reason, long available, ResourceTable table) {
    return "Insufficient amount of "
        + what
        + ": "
        + resource
        + " (R: "
        + value(resource, reason.getNeeded(), table)
        + " A: "
        + value(resource, available, table)
        + " T: "
        + value(resource, reason.getTotal(), table)
        + ")";
  }

  private static String amount(String resource, long amount, ResourceTable table) {
    return resource + " " + value(resource, amount, table);
  }

  private static String value(String resource, long amount, ResourceTable table) {
    return table
        .find(resource)
        .filter(it -> it.kind() != ResourceKind.STRING)
        .map(it -> Amounts.format(it, amount))
        .orElse(Long.toString(amount));
  }
}
