package io.millrace.schedulers.dialects.origin2000.config;

import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.BATCH_QUEUES;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.DEDICATED_QUEUES;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.DEDICATED_TIME_COMMAND;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.ENFORCE_ALLOCATION;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.ENFORCE_DEDICATED_TIME;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.ENFORCE_PRIME_TIME;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.EXTERNAL_QUEUES;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.FAKE_MACHINE_MULT;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.MANAGE_HPM_COUNTERS;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.PRIME_TIME_END;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.PRIME_TIME_SMALL_NODE_LIMIT;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.PRIME_TIME_SMALL_WALLT_LIMIT;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.PRIME_TIME_START;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.PRIME_TIME_WALLT_LIMIT;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.REVOKE_HPM_COUNTERS;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.SCHED_ACCT_DIR;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.SMALL_JOB_MAX;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.SPECIAL_QUEUE;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.SUBMIT_QUEUE;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.WALLT_LIMIT_LARGE_JOB;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.WALLT_LIMIT_SMALL_JOB;

import io.millrace.schedulers.gridengine.language.options.ConfigurationRefused;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** Whether the options of a configuration fit each other. */
public final class OriginConfigChecks {

  private static final long DAY_S = 86_400;
  private static final List<OriginOption> LISTS =
      List.of(SUBMIT_QUEUE, BATCH_QUEUES, SPECIAL_QUEUE, DEDICATED_QUEUES, EXTERNAL_QUEUES);

  private final String file;
  private final OriginConfig config;

  private OriginConfigChecks(String file, OriginConfig config) {
    this.file = file;
    this.config = config;
  }

  /**
   * Checks a configuration as a whole.
   *
   * @param executable whether a program of this path can be run
   * @throws ConfigurationRefused on the first thing that does not fit
   */
  public static void check(String file, OriginConfig config, Predicate<String> executable) {
    OriginConfigChecks checks = new OriginConfigChecks(file, config);
    checks.counts();
    checks.primeTime();
    checks.sizes();
    checks.dedicatedTime(executable);
    checks.disjoint();
    checks.rest();
  }

  private void counts() {
    only(SUBMIT_QUEUE, true);
    if (config.queues(BATCH_QUEUES).isEmpty()) {
      throw refused(BATCH_QUEUES, "BATCH_QUEUES is missing: the queues in which jobs run");
    }
    only(SPECIAL_QUEUE, false);
    for (OriginOption list : LISTS) {
      Set<OriginQueueName> seen = new HashSet<>();
      for (OriginQueueName queue : config.queues(list)) {
        if (!seen.add(queue)) {
          throw refused(list, list + " names " + queue + " twice");
        }
      }
    }
  }

  private void only(OriginOption list, boolean needed) {
    int queues = config.queues(list).size();
    if (queues > 1) {
      throw refused(list, list + " names " + queues + " queues, but there can be only one");
    }
    if (needed && queues == 0) {
      throw refused(list, list + " is missing: the queue that jobs are taken from");
    }
  }

  private void primeTime() {
    if (!config.on(ENFORCE_PRIME_TIME)) {
      return;
    }
    for (OriginOption time : List.of(PRIME_TIME_START, PRIME_TIME_END)) {
      needs(ENFORCE_PRIME_TIME, time);
      if (config.number(time) > DAY_S) {
        throw refused(time, time + " is after 24:00:00, which is no time of day");
      }
    }
    needs(ENFORCE_PRIME_TIME, PRIME_TIME_WALLT_LIMIT);
    both(PRIME_TIME_SMALL_NODE_LIMIT, PRIME_TIME_SMALL_WALLT_LIMIT);
    both(PRIME_TIME_SMALL_WALLT_LIMIT, PRIME_TIME_SMALL_NODE_LIMIT);
  }

  private void both(OriginOption one, OriginOption other) {
    if (config.number(one) > 0) {
      needs(one, other);
    }
  }

  private void needs(OriginOption one, OriginOption other) {
    if (config.number(other) <= 0) {
      throw refused(one, one + " is set, but " + other + " is not, or is 0");
    }
  }

  private void sizes() {
    if (config.on(SMALL_JOB_MAX)) {
      needs(SMALL_JOB_MAX, WALLT_LIMIT_LARGE_JOB);
      needs(SMALL_JOB_MAX, WALLT_LIMIT_SMALL_JOB);
    }
  }

  private void dedicatedTime(Predicate<String> executable) {
    if (!config.on(ENFORCE_DEDICATED_TIME)) {
      return;
    }
    List<OriginQueueName> queues = config.queues(DEDICATED_QUEUES);
    if (queues.isEmpty()) {
      throw refused(
          ENFORCE_DEDICATED_TIME,
          "ENFORCE_DEDICATED_TIME is set, but there are no DEDICATED_QUEUES");
    }
    Set<String> hosts = new HashSet<>();
    for (OriginQueueName queue : queues) {
      if (!hosts.add(queue.host())) {
        throw refused(
            DEDICATED_QUEUES, "DEDICATED_QUEUES names two queues of the host " + queue.host());
      }
    }
    String command =
        config
            .word(DEDICATED_TIME_COMMAND)
            .orElseThrow(
                () ->
                    refused(
                        ENFORCE_DEDICATED_TIME,
                        "ENFORCE_DEDICATED_TIME is set, but DEDICATED_TIME_COMMAND is not"));
    if (!executable.test(command)) {
      throw refused(
          DEDICATED_TIME_COMMAND,
          "DEDICATED_TIME_COMMAND " + command + " is no program that can be run");
    }
  }

  private void disjoint() {
    for (int i = 0; i < LISTS.size(); i++) {
      for (OriginQueueName queue : config.queues(LISTS.get(i))) {
        for (OriginOption other : LISTS.subList(i + 1, LISTS.size())) {
          if (config.queues(other).contains(queue)) {
            throw refused(other, queue + " is in both " + LISTS.get(i) + " and " + other);
          }
        }
      }
    }
  }

  private void rest() {
    if (config.on(REVOKE_HPM_COUNTERS) && !config.on(MANAGE_HPM_COUNTERS)) {
      throw refused(REVOKE_HPM_COUNTERS, "REVOKE_HPM_COUNTERS needs MANAGE_HPM_COUNTERS");
    }
    if (config.number(FAKE_MACHINE_MULT) < 1) {
      throw refused(
          FAKE_MACHINE_MULT, "FAKE_MACHINE_MULT must be 1 or more; 1 leaves hosts as they are");
    }
    if (config.on(ENFORCE_ALLOCATION) && config.word(SCHED_ACCT_DIR).isEmpty()) {
      throw refused(
          ENFORCE_ALLOCATION,
          "ENFORCE_ALLOCATION is set, but SCHED_ACCT_DIR is not: the folder of its files");
    }
  }

  private ConfigurationRefused refused(OriginOption about, String reason) {
    return new ConfigurationRefused(file, config.line(about), reason);
  }
}
