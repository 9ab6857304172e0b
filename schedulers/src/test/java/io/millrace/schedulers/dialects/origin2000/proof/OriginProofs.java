package io.millrace.schedulers.dialects.origin2000.proof;

import static io.millrace.schedulers.dialects.origin2000.OriginScene.ALLOCATION;
import static io.millrace.schedulers.dialects.origin2000.OriginScene.DEDICATED;
import static io.millrace.schedulers.dialects.origin2000.OriginScene.PRIME;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.AVOID_FRAGMENTATION;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.BATCH_QUEUES;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.DECAY_FACTOR;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.DEDICATED_QUEUES;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.DEDICATED_TIME_CACHE_SECS;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.DEDICATED_TIME_COMMAND;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.ENFORCE_ALLOCATION;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.ENFORCE_DEDICATED_TIME;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.ENFORCE_PRIME_TIME;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.EXTERNAL_QUEUES;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.FAKE_MACHINE_MULT;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.HIGH_SYSTIME;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.INTERACTIVE_LONG_WAIT;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.MANAGE_HPM_COUNTERS;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.MAX_DEDICATED_JOBS;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.MAX_JOBS;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.MAX_QUEUED_TIME;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.MAX_USER_RUN_JOBS;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.MIN_JOBS;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.NONPRIME_DRAIN_SYS;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.NP_DRAIN_BACKTIME;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.NP_DRAIN_IDLETIME;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.OA_DECAY_FACTOR;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.PRIME_TIME_END;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.PRIME_TIME_SMALL_NODE_LIMIT;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.PRIME_TIME_SMALL_WALLT_LIMIT;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.PRIME_TIME_START;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.PRIME_TIME_WALLT_LIMIT;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.REVOKE_HPM_COUNTERS;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.SCHED_ACCT_DIR;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.SCHED_HOST;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.SCHED_RESTART_ACTION;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.SERVER_HOST;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.SMALL_JOB_MAX;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.SMALL_QUEUED_TIME;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.SORTED_JOB_DUMPFILE;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.SORT_BY_PAST_USAGE;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.SPECIAL_QUEUE;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.SUBMIT_QUEUE;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.SYSTEM_NAME;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.TARGET_LOAD_PCT;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.TARGET_LOAD_VARIANCE;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.TEST_ONLY;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.WALLT_LIMIT_LARGE_JOB;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.WALLT_LIMIT_SMALL_JOB;

import io.millrace.schedulers.dialects.origin2000.OriginScene;
import io.millrace.schedulers.dialects.origin2000.config.OriginOption;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** What each option of the Origin2000 dialect changes. */
final class OriginProofs {

  private static final String MORNING = "1999-11-09T10:00:00";
  private static final String STARTED = "Started on Tue Nov  9 20:00:00 1999";
  private static final String STARTS = "1: " + STARTED + "\nmove 1 to exec\nrun 1 on exec@hopper";
  private static final String AT_TEN =
      "1: Started on Tue Nov  9 10:00:00 1999\nmove 1 to exec\nrun 1 on exec@hopper";
  private static final String LIMITED = "1: Exceeds primetime walltime limit (02:00:00)";
  private static final String SIZES =
      "SMALL_JOB_MAX 4\nWALLT_LIMIT_SMALL_JOB 2:00:00\nWALLT_LIMIT_LARGE_JOB 4:00:00\n";
  private static final String OUTAGE = "HOPPER 11/09/1999 22:00-23:00 11/09/1999";

  private OriginProofs() {}

  static List<OriginProof> all() {
    List<OriginProof> all = new ArrayList<>(queues());
    all.addAll(primeTime());
    all.addAll(sizes());
    all.addAll(dedicatedTime());
    all.addAll(hosts());
    all.addAll(groups());
    all.addAll(waiting());
    all.addAll(others());
    all.addAll(kept());
    return all;
  }

  private static OriginProof proof(
      OriginOption option,
      String shows,
      String text,
      Function<OriginScene, String> see,
      String expected) {
    return new OriginProof(option, shows, text, see, expected);
  }

  private static Function<OriginScene, String> job(long nodes, String walltime, String words) {
    return scene -> scene.job("1", nodes, walltime, words).run();
  }

  private static Function<OriginScene, String> atTen(long nodes, String walltime) {
    return scene -> scene.at(MORNING).job("1", nodes, walltime, "").run();
  }

  private static List<OriginProof> queues() {
    return List.of(
        proof(SUBMIT_QUEUE, "its job starts", "", job(4, "1:00:00", ""), STARTS),
        proof(BATCH_QUEUES, "a job starts there", "", job(4, "1:00:00", ""), STARTS),
        proof(
            SPECIAL_QUEUE,
            "its job starts before a larger one of the submit queue",
            "SPECIAL_QUEUE special\n",
            scene ->
                scene.job("1", 8, "1:00:00", "").job("2", 32, "1:00:00", "queue=special").run(),
            "2: "
                + STARTED
                + " (special access job)\nmove 2 to exec\nrun 2 on exec@hopper\n"
                + "1: Queue exec node limit (32) reached"),
        proof(
            DEDICATED_QUEUES,
            "its job is told what it waits for",
            "DEDICATED_QUEUES ded\n",
            job(4, "1:00:00", "queue=ded"),
            "1: Dedicated time is not being enforced"),
        proof(
            EXTERNAL_QUEUES,
            "its job starts in place",
            "EXTERNAL_QUEUES ext\n",
            job(4, "1:00:00", "queue=ext"),
            "1: " + STARTED + "\nrun 1 on ext@hopper"));
  }

  private static List<OriginProof> primeTime() {
    String small = "PRIME_TIME_SMALL_NODE_LIMIT 4\nPRIME_TIME_SMALL_WALLT_LIMIT 1:00:00\n";
    String drain = PRIME + "NONPRIME_DRAIN_SYS True\n";
    String waits = "1: System draining for non-primetime at 17:00:00";
    Function<OriginScene, String> late =
        scene -> scene.at("1999-11-09T16:35:00").job("1", 4, "1:30:00", "").run();
    return List.of(
        proof(ENFORCE_PRIME_TIME, "a long job waits", PRIME, atTen(4, "3:00:00"), LIMITED),
        proof(
            PRIME_TIME_START,
            "a job may run on until two hours after it",
            PRIME,
            scene -> scene.at("1999-11-09T06:00:00").job("1", 4, "4:00:00", "").run(),
            "1: Started on Tue Nov  9 06:00:00 1999\nmove 1 to exec\nrun 1 on exec@hopper"),
        proof(
            PRIME_TIME_END,
            "a job may run on after it",
            PRIME,
            scene -> scene.at("1999-11-09T15:00:00").job("1", 4, "7:00:00", "").run(),
            "1: Started on Tue Nov  9 15:00:00 1999\nmove 1 to exec\nrun 1 on exec@hopper"),
        proof(PRIME_TIME_WALLT_LIMIT, "two hours are allowed", PRIME, atTen(4, "2:00:00"), AT_TEN),
        proof(
            PRIME_TIME_SMALL_NODE_LIMIT,
            "a job of so many nodes is small",
            PRIME + small,
            atTen(4, "1:00:01"),
            "1: Exceeds primetime walltime limit (01:00:00)"),
        proof(
            PRIME_TIME_SMALL_WALLT_LIMIT,
            "a small job has the limit of small ones",
            PRIME + small,
            atTen(4, "1:00:01"),
            "1: Exceeds primetime walltime limit (01:00:00)"),
        proof(NONPRIME_DRAIN_SYS, "a job that would run over the end waits", drain, late, waits),
        proof(
            NP_DRAIN_BACKTIME,
            "an idle queue starts it half an hour early",
            drain + "NP_DRAIN_BACKTIME 30:00\n",
            late,
            waits
                + "\n1: Started on Tue Nov  9 16:35:00 1999\nmove 1 to exec\nrun 1 on exec@hopper"),
        proof(
            NP_DRAIN_IDLETIME,
            "a queue that was not idle long enough does not",
            drain + "NP_DRAIN_BACKTIME 30:00\nNP_DRAIN_IDLETIME 15:00\n",
            late,
            waits));
  }

  private static List<OriginProof> sizes() {
    String deleted = "delete 1: Job exceeds maximum walltime limit (%s) policy";
    return List.of(
        proof(
            SMALL_JOB_MAX,
            "a small job that is too long is deleted",
            SIZES,
            job(4, "3:00:00", ""),
            deleted.formatted("02:00:00")),
        proof(
            WALLT_LIMIT_SMALL_JOB,
            "a small job that is too long is deleted",
            SIZES,
            job(4, "2:00:01", ""),
            deleted.formatted("02:00:00")),
        proof(
            WALLT_LIMIT_LARGE_JOB,
            "a large job that is too long is deleted",
            SIZES,
            job(5, "4:00:01", ""),
            deleted.formatted("04:00:00")));
  }

  private static List<OriginProof> dedicatedTime() {
    String before = "1: Can't complete before next dedicated time (%s 11/09/1999 22:00)";
    Function<OriginScene, String> meets =
        scene -> scene.dedicatedTime("hopper", OUTAGE).job("1", 4, "2:00:00", "").run();
    return List.of(
        proof(
            ENFORCE_DEDICATED_TIME,
            "a job that would run into it waits",
            DEDICATED,
            meets,
            before.formatted("hopper")),
        proof(
            DEDICATED_TIME_COMMAND,
            "what it prints is the dedicated time",
            DEDICATED,
            meets,
            before.formatted("hopper")),
        proof(
            DEDICATED_TIME_CACHE_SECS,
            "a dedicated time that is withdrawn counts until then",
            DEDICATED + "DEDICATED_TIME_CACHE_SECS 300\n",
            scene -> {
              scene.dedicatedTime("hopper", OUTAGE).job("1", 4, "2:00:00", "").run();
              String withdrawn = "No scheduled downtime for the specified period.";
              return scene.after(300).dedicatedTime("hopper", withdrawn).run();
            },
            ""),
        proof(
            SYSTEM_NAME,
            "the system's dedicated time counts on the host",
            DEDICATED + "SYSTEM_NAME Cluster\n",
            scene ->
                scene
                    .dedicatedTime("cluster", "CLUSTER 11/09/1999 22:00-23:00 11/09/1999")
                    .job("1", 4, "2:00:00", "")
                    .run(),
            before.formatted("cluster")));
  }

  private static List<OriginProof> hosts() {
    Function<OriginScene, String> loaded =
        scene -> scene.host("hopper", 32, 128).job("1", 4, "1:00:00", "").run();
    return List.of(
        proof(
            MAX_JOBS,
            "a host with one job starts no second one",
            "MAX_JOBS 1\n",
            scene -> scene.job("0", 4, "1:00:00", "run=60").job("1", 4, "1:00:00", "").run(),
            "1: Maximum number of jobs running (1/1 max)"),
        proof(MIN_JOBS, "a loaded host without jobs starts one", "MIN_JOBS 1\n", loaded, STARTS),
        proof(
            TARGET_LOAD_PCT,
            "a host may have three times its processors as load",
            "TARGET_LOAD_PCT 300%\n",
            loaded,
            STARTS),
        proof(
            TARGET_LOAD_VARIANCE,
            "a host may have more load",
            "TARGET_LOAD_VARIANCE -15%,+110%\n",
            loaded,
            STARTS),
        proof(
            FAKE_MACHINE_MULT,
            "a host of 8 nodes takes a job of 16",
            "FAKE_MACHINE_MULT 2\n",
            scene -> scene.host("hopper", 8, 0).job("1", 16, "1:00:00", "").run(),
            STARTS),
        proof(
            MANAGE_HPM_COUNTERS,
            "the host is switched to user mode",
            "MANAGE_HPM_COUNTERS True\n",
            job(4, "1:00:00", "hpm"),
            "user on hopper\n" + STARTS),
        proof(
            REVOKE_HPM_COUNTERS,
            "a host that does not give them back is asked to revoke",
            "MANAGE_HPM_COUNTERS True\nREVOKE_HPM_COUNTERS True\n",
            scene -> scene.host("hopper", 32, 0, "user").stick("hopper", "global").run(),
            "global on hopper fails\nrevoke on hopper"));
  }

  private static List<OriginProof> groups() {
    Function<OriginScene, String> decayed =
        scene -> {
          scene
              .allocations("P= over = over = 1\nP= good = good = 100\n", "x over 1 2\n")
              .usage("Tue\ngood:ann 100.0\nover:bob 100.0\n")
              .run();
          scene.after(86_400).run();
          return scene.usage();
        };
    return List.of(
        proof(
            ENFORCE_ALLOCATION,
            "the job of a group without allocation is deleted",
            ALLOCATION,
            job(4, "1:00:00", ""),
            "delete 1: Allocation Exceeded."),
        proof(
            SCHED_ACCT_DIR,
            "the job of a group that has some left starts",
            ALLOCATION,
            scene -> scene.allocations("P= a = g1 = 5\n", "").job("1", 4, "1:00:00", "").run(),
            STARTS),
        proof(
            SORT_BY_PAST_USAGE,
            "False: the largest jobs come first, whoever owns them",
            "SORT_BY_PAST_USAGE False\n",
            scene -> {
              scene
                  .job("1", 8, "1:00:00", "")
                  .job("2", 4, "1:00:00", "")
                  .job("3", 2, "1:00:00", "owner=bob")
                  .run();
              return scene.sorted();
            },
            "1 2 3"),
        proof(
            DECAY_FACTOR,
            "usage is halved after a day",
            ALLOCATION + "DECAY_FACTOR .5\n",
            decayed,
            "Wed\ngood:ann 50.000\nover:bob 95.000\n"),
        proof(
            OA_DECAY_FACTOR,
            "usage of a group over its allocation decays by its own factor",
            ALLOCATION + "OA_DECAY_FACTOR 0.9\n",
            decayed,
            "Wed\ngood:ann 75.000\nover:bob 90.000\n"));
  }

  private static List<OriginProof> waiting() {
    String late = " (waited too long)\nmove 1 to exec\nrun 1 on exec@hopper";
    return List.of(
        proof(
            MAX_QUEUED_TIME,
            "a job that waited longer is outstanding",
            "MAX_QUEUED_TIME 1:00:00\n",
            job(4, "1:00:00", "waited=3601"),
            "1: " + STARTED + late),
        proof(
            INTERACTIVE_LONG_WAIT,
            "an interactive job that waited longer in prime time is outstanding",
            PRIME + "INTERACTIVE_LONG_WAIT 30:00\n",
            scene -> scene.at(MORNING).job("1", 4, "30:00", "interactive waited=3601").run(),
            "1: Started on Tue Nov  9 10:00:00 1999" + late),
        proof(
            SMALL_QUEUED_TIME,
            "a longer outstanding job goes before a larger one below that walltime",
            "MAX_QUEUED_TIME 1:00:00\nSMALL_QUEUED_TIME 1:00:00\n",
            scene -> {
              scene.job("1", 8, "30:00", "waited=4000").job("2", 2, "2:00:00", "waited=4000").run();
              return scene.sorted();
            },
            "2 1"));
  }

  private static List<OriginProof> others() {
    Function<OriginScene, String> left = job(4, "1:00:00", "queue=exec origin=submit");
    return List.of(
        proof(
            AVOID_FRAGMENTATION,
            "False: a small job starts beside a large one",
            "AVOID_FRAGMENTATION False\n",
            scene ->
                scene
                    .queue("exec", 32, 4)
                    .job("0", 10, "1:00:00", "run=60")
                    .job("1", 3, "2:00:00", "")
                    .run(),
            STARTS),
        proof(
            SORTED_JOB_DUMPFILE,
            "the file has the jobs",
            "SORTED_JOB_DUMPFILE sortedjobs\n",
            scene -> {
              scene.job("1", 4, "1:00:00", "").run();
              return scene.report().dump().map(it -> it.contains("1  ") + "").orElse("none");
            },
            "true"),
        proof(
            TEST_ONLY,
            "nothing happens but that it is said",
            "TEST_ONLY True\n",
            job(4, "1:00:00", ""),
            "would run 1 on exec@hopper"),
        proof(
            SCHED_RESTART_ACTION,
            "a job that was left in the batch queue goes back and starts",
            "SCHED_RESTART_ACTION RESUBMIT\n",
            left,
            "move 1 to submit\n1: Interrupted job resubmitted by scheduler\n" + STARTS),
        proof(
            SCHED_HOST,
            "a job that was left in the batch queue is started there",
            "SCHED_RESTART_ACTION RERUN\nSCHED_HOST Other\n",
            left,
            "1: Interrupted job restarted by scheduler\nrun 1 on exec@other"));
  }

  private static List<OriginProof> kept() {
    List<OriginProof> kept = new ArrayList<>();
    for (OriginOption option :
        List.of(HIGH_SYSTIME, MAX_DEDICATED_JOBS, MAX_USER_RUN_JOBS, SERVER_HOST)) {
      kept.add(
          proof(
              option,
              "it is printed again",
              option + " 7\n",
              scene -> scene.config().print(scene.place()).contains(option + "\t7\n") + "",
              "true"));
    }
    return kept;
  }
}
