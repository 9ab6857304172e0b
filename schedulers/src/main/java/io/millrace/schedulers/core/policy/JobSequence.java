package io.millrace.schedulers.core.policy;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An order of jobs by several keys: the level of preemption; those that were preempted; the
 * formula; fair share; the keys in turn; the order of submission.
 *
 * @param byQueue all jobs of a queue come before those of the next, but for jobs above the normal
 *     level and such as were preempted, which come first whatever their queue
 * @param roundRobin queues of equal Priority take turns; counts before {@code byQueue}
 * @param byShares whether fair share decides
 * @param preemptedFirst whether jobs that were preempted come before others of their level
 * @param keys what decides after it
 * @param turn how many of the keys stand before {@link #QUEUE_TURN}; all where it is none of them
 */
public record JobSequence(
    boolean byQueue,
    boolean roundRobin,
    boolean byShares,
    boolean preemptedFirst,
    List<JobOrderKey> keys,
    int turn) {

  /** Key: the job's own priority. */
  public static final String JOB_PRIORITY = "job_priority";

  /** Key: what the job's entity is entitled to. */
  public static final String SHARES = "fair_share_perc";

  /** Key: the level of preemption. */
  public static final String LEVEL = "preempt_priority";

  /** Key: the Priority of the job's queue. */
  public static final String QUEUE_PRIORITY = "queue_priority";

  /** Key: which queue was created before, with LOW. */
  public static final String QUEUE_ORDER = "queue_order";

  /** Key: queues that are equal by the keys before it take turns, one job each. */
  public static final String QUEUE_TURN = "queue_turn";

  /** Key: when the job was submitted. */
  public static final String SUBMISSION = "submit_time";

  /** Key: for how many chunks the job asks. */
  public static final String CHUNKS = "nodect";

  /** Keys with a list behind an equals sign: with HIGH, those in it come first, in its order. */
  public static final String USER = "euser";

  public static final String GROUP = "egroup";
  public static final String HOST = "submit_host";

  /**
   * One key.
   *
   * @param name of a resource, or one of the words above; some with a list {@code =A:B:C} behind
   * @param high true when jobs with more come first
   */
  public record JobOrderKey(String name, boolean high) {

    /** The word before a list. */
    public String word() {
      return name.split("=", 2)[0];
    }

    /** What stands in the list; empty without one. */
    public List<String> list() {
      String[] parts = name.split("=", 2);
      return parts.length == 1 ? List.of() : List.of(parts[1].split(":"));
    }
  }

  private static final Pattern KEY = Pattern.compile("\\s*(\\S+)\\s+(HIGH|LOW)\\s*");

  public JobSequence(
      boolean byQueue,
      boolean roundRobin,
      boolean byShares,
      boolean preemptedFirst,
      List<JobOrderKey> keys) {
    this(byQueue, roundRobin, byShares, preemptedFirst, List.copyOf(keys), turn(keys));
  }

  private static int turn(List<JobOrderKey> keys) {
    int at = 0;
    while (at < keys.size() && !keys.get(at).name().equals(QUEUE_TURN)) {
      at++;
    }
    return at;
  }

  /** Reads keys such as {@code ncpus HIGH, job_priority HIGH}; empty when the text has none. */
  public static List<JobOrderKey> keys(String text) {
    List<JobOrderKey> keys = new ArrayList<>();
    for (String word : text.split(",", -1)) {
      Matcher matcher = KEY.matcher(word);
      if (matcher.matches()) {
        keys.add(new JobOrderKey(matcher.group(1), matcher.group(2).equals("HIGH")));
      }
    }
    return List.copyOf(keys);
  }

  /** True when the order changes with each start. */
  public boolean changesWithStarts() {
    return byShares || turns();
  }

  /** True when queues take turns. */
  public boolean turns() {
    return roundRobin || turn < keys.size();
  }
}
