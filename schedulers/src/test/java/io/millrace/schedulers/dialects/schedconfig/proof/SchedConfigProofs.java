package io.millrace.schedulers.dialects.schedconfig.proof;

import io.millrace.schemas.pbs.schedconfig.options.SchedConfigOptions;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/** What each option of a sched_config changes. */
final class SchedConfigProofs {

  private static final String ONE = "-l ncpus=1";
  private static final String FAIR = "fair_share: true\n";
  private static final String GROUP = "resource_group";
  private static final String TWO_USERS = "u1 10 root 10\nu2 11 root 10\n";

  private SchedConfigProofs() {}

  static List<SchedConfigProof> all() {
    return Stream.of(order(), cycles(), shares(), usage(), nodes(), times(), amounts(), old())
        .flatMap(List::stream)
        .toList();
  }

  private static SchedConfigProof proof(
      String option,
      String shows,
      String lines,
      Function<SchedConfigScene, String> see,
      String expected) {
    return new SchedConfigProof(option, shows, lines, see, expected);
  }

  /** Room for all jobs, and two queues. */
  private static SchedConfigScene queues(SchedConfigScene scene, int first, int second) {
    return scene.node("n1", 100).queue("one", first).queue("two", second);
  }

  /** Half of the cluster is in use for an hour, and the next job needs all of it. */
  private static SchedConfigScene blocked(SchedConfigScene scene) {
    return scene
        .node("n1", 4)
        .job("r", "u1", "-l ncpus=2 -l walltime=1:00:00")
        .job("big", "u1", "-l ncpus=4 -l walltime=1:00:00");
  }

  private static List<SchedConfigProof> order() {
    return List.of(
        proof(
            SchedConfigOptions.ROUND_ROBIN,
            "the second job comes from the other queue",
            "round_robin: true\n",
            scene ->
                queues(scene, 5, 5)
                    .job("a", "u1", "-q one " + ONE)
                    .job("b", "u1", "-q one " + ONE)
                    .job("c", "u1", "-q two " + ONE)
                    .cycle()
                    .starts(),
            "a c b"),
        proof(
            SchedConfigOptions.BY_QUEUE,
            "the job of the queue of the higher Priority comes first",
            "by_queue: true\n",
            scene ->
                queues(scene, 1, 5)
                    .job("a", "u1", "-q one " + ONE)
                    .job("b", "u1", "-q two " + ONE)
                    .job("c", "u1", "-q one " + ONE)
                    .cycle()
                    .starts(),
            "b a c"),
        proof(
            SchedConfigOptions.STRICT_ORDERING,
            "a job waits that would delay one before it",
            "strict_ordering: true\n",
            scene ->
                blocked(scene).job("long", "u1", ONE + " -l walltime=2:00:00").cycle().starts(),
            "r"),
        proof(
            SchedConfigOptions.JOB_SORT_KEY,
            "the job of more processors comes first",
            "job_sort_key: \"ncpus HIGH\"\n",
            scene ->
                queues(scene, 1, 1)
                    .job("a", "u1", ONE)
                    .job("b", "u1", "-l ncpus=2")
                    .cycle()
                    .starts(),
            "b a"));
  }

  /** Four jobs fill the cluster, and three of a queue of a higher level come. */
  private static SchedConfigScene full(SchedConfigScene scene) {
    scene.node("n1", 4).queue("low", 10).queue("express", 200);
    for (int i = 1; i <= 4; i++) {
      scene.job("l" + i, "u1", "-q low " + ONE);
    }
    scene.cycle().at(1);
    for (int i = 1; i <= 3; i++) {
      scene.job("x" + i, "u1", "-q express " + ONE);
    }
    return scene.cycle();
  }

  private static List<SchedConfigProof> cycles() {
    return List.of(
        proof(
            SchedConfigOptions.PREEMPTIVE,
            "jobs of a queue of a higher level start in place of others",
            "preemptive_sched: true\n",
            scene -> full(scene).starts(),
            "l1 l2 l3 l4 x1 x2 x3"),
        proof(
            SchedConfigOptions.PREEMPT_ATTEMPTS,
            "each cycle stops runs for one job only",
            "preemptive_sched: true\npreempt_attempts: 1\n",
            scene -> full(scene).cycles(),
            "l11 l21 l31 l41 x12 x23 x34"),
        proof(
            SchedConfigOptions.MAX_JOB_CHECK,
            "nobody behind the first job of the order is looked at",
            "max_job_check: 1\n",
            scene ->
                scene
                    .node("n1", 4)
                    .job("r", "u1", "-l ncpus=2")
                    .cycle()
                    .job("big", "u1", "-l ncpus=4")
                    .job("small", "u1", ONE)
                    .cycle()
                    .starts(),
            "r"));
  }

  /** A job of each of two users. */
  private static SchedConfigScene two(SchedConfigScene scene, String one, String other) {
    return scene.node("n1", 100).job("a", one, ONE).job("b", other, ONE).cycle();
  }

  private static List<SchedConfigProof> shares() {
    return List.of(
        proof(
            SchedConfigOptions.FAIR_SHARE,
            "the job of the user with more shares comes first",
            FAIR,
            scene -> two(scene.file(GROUP, "u1 10 root 10\nu2 11 root 30\n"), "u1", "u2").starts(),
            "b a"),
        proof(
            SchedConfigOptions.UNKNOWN_SHARES,
            "the job of a user who is not in resource_group starts",
            FAIR + "unknown_shares: 10\n",
            scene -> two(scene.file(GROUP, "u1 10 root 10\n"), "u8", "u9").starts(),
            "a b"));
  }

  /**
   * The first user has used much and long ago, the other one less and lately; then each has a job.
   */
  private static SchedConfigScene lately(SchedConfigScene scene, int usedS) {
    return scene
        .file(GROUP, TWO_USERS)
        .node("n1", 100)
        .job("r", "u1", ONE, 200)
        .cycle()
        .at(190)
        .cycle()
        .at(2_000)
        .job("s", "u2", ONE, 200)
        .cycle()
        .at(2_000 + usedS)
        .cycle()
        .job("b", "u2", ONE)
        .job("a", "u1", ONE)
        .cycle();
  }

  private static List<SchedConfigProof> usage() {
    String counts = FAIR + "fairshare_usage_res: ncpus*walltime\n";
    return List.of(
        proof(
            SchedConfigOptions.USAGE_RES,
            "who has used what counts comes later",
            counts,
            scene ->
                scene
                    .file(GROUP, TWO_USERS)
                    .node("n1", 100)
                    .job("r", "u1", ONE)
                    .cycle()
                    .at(100)
                    .job("a", "u1", ONE)
                    .job("b", "u2", ONE)
                    .cycle()
                    .starts(),
            "r b a"),
        proof(
            SchedConfigOptions.ENTITY,
            "the job of the group with more shares comes first",
            FAIR + "unknown_shares: 10\nfairshare_entity: egroup\n",
            scene -> two(scene.file(GROUP, "g1 10 root 10\ng2 11 root 30\n"), "u1", "u3").starts(),
            "b a"),
        proof(
            SchedConfigOptions.DECAY_TIME,
            "what was used long ago counts for less than a little of lately",
            counts + "fairshare_decay_time: 00:10:00\n",
            scene -> lately(scene, 90).starts(),
            "r s a b"),
        proof(
            SchedConfigOptions.DECAY_FACTOR,
            "the same with a smaller factor, though lately even less was used",
            counts + "fairshare_decay_time: 00:10:00\nfairshare_decay_factor: 0.1\n",
            scene -> lately(scene, 10).starts(),
            "r s a b"),
        proof(
            SchedConfigOptions.ENFORCE_NO_SHARES,
            "the job of a user without shares starts, after the others",
            FAIR + "fairshare_enforce_no_shares: false\n",
            scene -> two(scene.file(GROUP, "u1 10 root 10\n"), "u9", "u1").starts(),
            "b a"));
  }

  /** Two hosts, of which the second is larger and of a higher priority. */
  private static SchedConfigScene hosts(SchedConfigScene scene) {
    return scene
        .node("n1", "resources_available.ncpus=2", "priority=1")
        .node("n2", "resources_available.ncpus=4", "priority=9")
        .job("a", "u1", ONE)
        .job("b", "u1", ONE)
        .cycle();
  }

  private static List<SchedConfigProof> nodes() {
    return List.of(
        proof(
            SchedConfigOptions.NODE_SORT_KEY,
            "jobs get the node with more processors",
            "node_sort_key: \"ncpus HIGH\"\n",
            scene -> hosts(scene).nodes(),
            "n2 n2"),
        proof(
            SchedConfigOptions.DISTRIBUTION,
            "each job gets the node behind the one that was used last",
            "smp_cluster_dist: round_robin\n",
            scene -> hosts(scene).nodes(),
            "n2 n1"));
  }

  private static SchedConfigScene longAndShort(SchedConfigScene scene) {
    return scene
        .node("n1", 4)
        .job("long", "u1", ONE + " -l walltime=10:00:00")
        .job("short", "u1", ONE + " -l walltime=1:00:00")
        .cycle();
  }

  /** A job in a queue of the given name, and one in another queue. */
  private static SchedConfigScene apart(SchedConfigScene scene, String queue) {
    return scene
        .node("n1", 4)
        .queue(queue, 1)
        .job("its", "u1", "-q " + queue + " -l ncpus=1 -l walltime=0:10:00")
        .job("other", "u1", ONE + " -l walltime=0:10:00")
        .cycle();
  }

  private static List<SchedConfigProof> times() {
    String backfill = "backfill_prime: true\n";
    return List.of(
        proof(
            SchedConfigOptions.BACKFILL_PRIME,
            "a job waits that would not end in prime time",
            backfill,
            scene -> longAndShort(scene).starts(),
            "short"),
        proof(
            SchedConfigOptions.PRIME_SPILL,
            "a job starts that ends two hours after prime time",
            backfill + "prime_spill: 3:00:00\n",
            scene -> longAndShort(scene).starts(),
            "long short"),
        proof(
            SchedConfigOptions.PRIME_EXEMPT,
            "a job starts that would not end in prime time, its queue having no prefix",
            backfill + "prime_exempt_anytime_queues: true\n",
            scene -> longAndShort(scene).starts(),
            "long short"),
        proof(
            SchedConfigOptions.PRIME_PREFIX,
            "at night the job of the queue of that prefix waits, and no other",
            "primetime_prefix: day\n",
            scene -> apart(scene.night(), "daytime").starts(),
            "other"),
        proof(
            SchedConfigOptions.NON_PRIME_PREFIX,
            "by day the job of the queue of that prefix waits, and no other",
            "nonprimetime_prefix: night\n",
            scene -> apart(scene, "nightly").starts(),
            "other"),
        proof(
            SchedConfigOptions.DEDICATED_PREFIX,
            "in a dedicated time the job of the queue of that prefix starts, and no other",
            "dedicated_prefix: system\n",
            scene ->
                apart(
                        scene.file("dedicated_time", "11/24/2026 09:00 11/24/2026 12:00\n"),
                        "systems")
                    .starts(),
            "its"));
  }

  private static List<SchedConfigProof> amounts() {
    return List.of(
        proof(
            SchedConfigOptions.RESOURCES,
            "a job starts that asks for more memory than there is",
            "resources: \"ncpus, host, vnode\"\n",
            scene ->
                scene
                    .node("n1", "resources_available.ncpus=4", "resources_available.mem=1gb")
                    .job("a", "u1", "-l select=1:ncpus=1:mem=8gb")
                    .cycle()
                    .starts(),
            "a"),
        proof(
            SchedConfigOptions.UNSET_INFINITE,
            "a job starts that asks for what no node has",
            "resource_unset_infinite: \"lic, rack\"\n",
            scene ->
                scene
                    .resource("lic type=long,flag=nh")
                    .resource("rack type=string,flag=h")
                    .node("n1", 4)
                    .job("a", "u1", "-l select=1:ncpus=1:lic=2:rack=r9")
                    .cycle()
                    .starts(),
            "a"),
        proof(
            SchedConfigOptions.SERVER_DYN_RES,
            "a job waits that asks for more than the program says",
            "server_dyn_res: \"dyn !/opt/dyn\"\nresources: \"ncpus, host, vnode, dyn\"\n",
            scene ->
                scene
                    .program("1")
                    .resource("dyn type=long,flag=q")
                    .node("n1", 4)
                    .job("a", "u1", ONE + " -l dyn=2")
                    .job("b", "u1", ONE + " -l dyn=1")
                    .cycle()
                    .starts(),
            "b"),
        proof(
            SchedConfigOptions.UPDATE_COMMENTS,
            "a job that waits has no comment",
            "update_comments: false\n",
            scene -> blocked(scene).cycle().comments(),
            ""));
  }

  private static List<SchedConfigProof> old() {
    Function<SchedConfigScene, String> small =
        scene -> blocked(scene).job("small", "u1", ONE + " -l walltime=0:10:00").cycle().starts();
    return List.of(
        proof(
            SchedConfigOptions.STRICT_FIFO,
            "a job waits behind one of its queue that does not fit",
            "strict_fifo: true\n",
            small,
            "r"),
        proof(
            SchedConfigOptions.BACKFILL,
            "with strict_ordering a job waits that would delay nobody",
            "strict_ordering: true\nbackfill: false\n",
            small,
            "r"),
        proof(
            "half_life",
            "what was used long ago counts for less than a little of lately",
            FAIR + "fairshare_usage_res: ncpus*walltime\nhalf_life: 00:10:00\n",
            scene -> lately(scene, 90).starts(),
            "r s a b"),
        proof(
            "sort_nodes",
            "jobs get the node of the higher priority",
            "sort_nodes: true\n",
            scene -> hosts(scene).nodes(),
            "n2 n2"));
  }
}
