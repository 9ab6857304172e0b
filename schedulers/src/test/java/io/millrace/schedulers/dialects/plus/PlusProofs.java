package io.millrace.schedulers.dialects.plus;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** What each option of a sched_conf changes, and each key. */
final class PlusProofs {

  private static final String JOBS = "JobSortKey: %s\n";
  private static final String NODES = "NodeSortKey: %s\n";

  private PlusProofs() {}

  static List<PlusProof> all() {
    List<PlusProof> all = new ArrayList<>(options());
    all.addAll(jobKeys());
    all.addAll(nodeKeys());
    return all;
  }

  /** Two queues, of which the second has the higher Priority, and room for all. */
  private static PlusScene cluster(PlusScene scene) {
    return scene.queue("one", 1).queue("two", 5).node("n1", 100, 1L << 30, 0);
  }

  private static List<PlusProof> options() {
    String owners = JOBS.formatted("OwnersName, OwnersGroup, OwnersHost");
    String lists = "OwnersOrder: eve\nGroupsOrder: masters\nHostsOrder: apgrid.org\n";
    Function<PlusScene, String> see =
        scene ->
            cluster(scene)
                .job("one", 0, "ncpus=1", "ann@b.hpcc.org", "staff")
                .job("one", 0, "ncpus=1", "ann@a.apgrid.org", "staff")
                .job("one", 0, "ncpus=1", "ann@b.hpcc.org", "masters")
                .job("one", 0, "ncpus=1", "eve@b.hpcc.org", "staff")
                .starts();
    String first = "the jobs of those that it lists come first";
    return List.of(
        option(
            PlusOption.JOB_KEYS,
            "the job of fewer processors comes first",
            JOBS.formatted("LeastCPURequested"),
            scene -> cluster(scene).job("two", 9, "ncpus=2").job("one", 0, "ncpus=1").starts(),
            "2 1"),
        option(
            PlusOption.NODE_KEYS,
            "the job gets the node with more memory",
            NODES.formatted("LargestPhysicalMemory"),
            scene -> nodes(scene).job("q", 0, "ncpus=1").nodes(),
            "b"),
        option(PlusOption.OWNERS, first, owners + lists, see, "4 3 2 1"),
        option(PlusOption.GROUPS, first, owners + lists, see, "4 3 2 1"),
        option(PlusOption.HOSTS, first, owners + lists, see, "4 3 2 1"));
  }

  private static PlusProof option(
      PlusOption option,
      String shows,
      String text,
      Function<PlusScene, String> see,
      String expected) {
    return new PlusProof(option, option.word(), shows, text, see, expected);
  }

  private static PlusProof key(
      PlusJobKey key, String more, UnaryOperator<PlusScene> jobs, String expected) {
    return new PlusProof(
        PlusOption.JOB_KEYS,
        key.word(),
        key.meaning(),
        JOBS.formatted(key.word()) + more,
        scene -> jobs.apply(cluster(scene)).starts(),
        expected);
  }

  /** Each order is another one than by Priority of queues, and than that of submission. */
  private static List<PlusProof> jobKeys() {
    UnaryOperator<PlusScene> sizes =
        scene ->
            scene
                .job("two", 0, "select=2:ncpus=2,walltime=200")
                .job("one", 9, "select=1:ncpus=1,walltime=300")
                .job("two", 5, "select=3:ncpus=3,walltime=100");
    UnaryOperator<PlusScene> owners =
        scene ->
            scene
                .job("two", 0, "ncpus=1", "dan@n1.hpcc.org", "masters")
                .job("two", 0, "ncpus=1", "ann@n1.com", "staff")
                .job("one", 0, "ncpus=1", "eve@apgrid.org", "professors");
    UnaryOperator<PlusScene> queues =
        scene ->
            scene
                .job("two", 0, "ncpus=1")
                .job("two", 0, "ncpus=1")
                .job("one", 0, "ncpus=1")
                .job("one", 0, "ncpus=1");
    return List.of(
        key(PlusJobKey.PRIORITY, "", sizes, "2 3 1"),
        key(PlusJobKey.SUBMITTED, "", sizes, "1 2 3"),
        key(PlusJobKey.FEWEST_CPUS, "", sizes, "2 1 3"),
        key(
            PlusJobKey.MOST_CPUS,
            "",
            scene -> scene.job("two", 9, "ncpus=1").job("one", 0, "ncpus=2"),
            "2 1"),
        key(PlusJobKey.FEWEST_NODES, "", sizes, "2 1 3"),
        key(
            PlusJobKey.MOST_NODES,
            "",
            scene -> scene.job("two", 9, "ncpus=4").job("one", 0, "select=2:ncpus=1"),
            "2 1"),
        key(
            PlusJobKey.SHORTEST,
            "",
            scene -> scene.job("two", 9, "walltime=9").job("one", 0, "walltime=8"),
            "2 1"),
        key(
            PlusJobKey.LONGEST,
            "",
            scene -> scene.job("two", 9, "walltime=8").job("one", 0, "walltime=9"),
            "2 1"),
        key(
            PlusJobKey.QUEUE_PRIORITY,
            "",
            scene -> scene.job("two", 0, "ncpus=1").job("two", 9, "ncpus=1"),
            "1 2"),
        key(PlusJobKey.TURNS, "", queues, "3 1 4 2"),
        key(PlusJobKey.BY_QUEUE, "", queues, "3 4 1 2"),
        key(PlusJobKey.OWNER, "OwnersOrder: eve, dan\n", owners, "3 1 2"),
        key(PlusJobKey.GROUP, "GroupsOrder: professors, masters\n", owners, "3 1 2"),
        key(PlusJobKey.HOST, "HostsOrder: apgrid.org, hpcc.org\n", owners, "3 1 2"));
  }

  /** Two nodes; the second has more memory and less load. */
  private static PlusScene nodes(PlusScene scene) {
    return scene.queue("q", 0).node("a", 4, 1L << 30, 900_000).node("b", 4, 1L << 31, 100_000);
  }

  private static PlusProof key(
      PlusNodeKey key, String keys, Function<PlusScene, String> see, String expected) {
    return new PlusProof(
        PlusOption.NODE_KEYS, key.word(), key.meaning(), NODES.formatted(keys), see, expected);
  }

  private static List<PlusProof> nodeKeys() {
    Function<PlusScene, String> one = scene -> nodes(scene).job("q", 0, "ncpus=1").nodes();
    return List.of(
        new PlusProof(
            PlusOption.NODE_KEYS,
            PlusNodeKey.NAME.word(),
            PlusNodeKey.NAME.meaning(),
            NODES.formatted("NodeName"),
            one,
            "a"),
        key(PlusNodeKey.LOAD, "LowestLoadAverage", one, "b"),
        key(
            PlusNodeKey.IDLE,
            "LongestIdleTime",
            scene -> {
              nodes(scene).job("q", 0, "ncpus=4").job("q", 0, "ncpus=4").nodes();
              return scene.ends(2).ends(1).job("q", 0, "ncpus=1").nodes();
            },
            "b"),
        key(PlusNodeKey.MEMORY, "LargestPhysicalMemory", one, "b"));
  }
}
