package io.millrace.connectors.local.execution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.local.execution.LiveRun.RunStage;
import io.millrace.connectors.local.host.HostTopology;
import io.millrace.connectors.local.host.ProcessorGroups;
import io.millrace.connectors.local.host.ProcessorSet;
import io.millrace.connectors.local.run.OrderSubject;
import io.millrace.connectors.local.run.RunId;
import io.millrace.connectors.local.run.RunProgram;
import io.millrace.connectors.local.run.RunRequest;
import io.millrace.connectors.local.spool.Spool;
import io.millrace.schemas.MemoryFolder;
import io.millrace.schemas.Seeds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whatever runs and tasks begin, stand still, go on and end, and whenever the executor dies and
 * another one follows: no two runs that do not stand still have a processor in common, and a run
 * finds none of its own only where too few are left. The control groups are a folder of files, in
 * which the test does what supervisors and the kernel do.
 */
class RunProcessorsPropertyTest {
  private static final int ACTS = 300;
  private static final int MOST_RUNS = 12;

  @TempDir(factory = MemoryFolder.class)
  Path directory;

  private Random random;
  private ExecutionFolder folder;
  private Path place;
  private HostTopology topology;
  private ProcessorSet all;

  /** What a living executor knows. */
  private final Map<RunId, LiveRun> known = new LinkedHashMap<>();

  private Spool spool;
  private RunProcessors processors;

  /** What there is, whoever knows it. */
  private final Map<RunId, PlacedRun> placed = new LinkedHashMap<>();

  private int lastJob;
  private int others;
  private int bound;
  private int unbound;
  private int rebound;

  /** A run as its supervisor and the kernel have it. */
  private static final class PlacedRun {
    final RunId id;
    final int wanted;
    boolean begun;

    /** It is to stand still, now or as soon as it begins. */
    boolean told;

    /** It is over, but the executor has not seen that. */
    boolean over;

    /** It is over, but a process of it could not be killed. */
    boolean left;

    PlacedRun(RunId id, int wanted) {
      this.id = id;
      this.wanted = wanted;
    }

    boolean stands() {
      return told && begun;
    }

    boolean isOfRun(RunId other) {
      return id.jobId().equals(other.jobId()) && id.run() == other.run();
    }
  }

  static long[] seeds() {
    return Seeds.of(500, 1, 2);
  }

  @BeforeEach
  void groups() throws Exception {
    place = Files.createDirectories(directory.resolve("tree/millrace/spool-here"));
    Files.createDirectories(place.resolveSibling("spool-there"));
    Files.createFile(place.resolveSibling("cpuset.cpus"));
    folder = new ExecutionFolder(directory, directory.resolve("spool"), Supervisors.shell(), true);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void noTwoRunsHaveAProcessorInCommon(long seed) throws Exception {
    random = new Random(seed);
    makeHost();
    restart();
    for (int act = 0; act < ACTS; act++) {
      act();
      check();
    }
    if (seed == 1) {
      assertTrue(bound > 10 && unbound > 0 && rebound > 0, bound + " " + unbound + " " + rebound);
    }
  }

  /** One to four nodes of some cores with one or two threads; one processor lies in no node. */
  private void makeHost() throws IOException {
    int threads = 1 + random.nextInt(2);
    int coresOfNode = 2 + random.nextInt(3);
    int nodes = 1 + random.nextInt(3);
    int cores = nodes * coresOfNode;
    List<ProcessorSet> ofNodes = new ArrayList<>();
    List<ProcessorSet> ofCores = new ArrayList<>();
    for (int core = 0; core < cores; core++) {
      int first = core;
      ofCores.add(
          new ProcessorSet(IntStream.range(0, threads).mapToObj(i -> first + i * cores).toList()));
    }
    for (int node = 0; node < nodes; node++) {
      ProcessorSet whole = ProcessorSet.NONE;
      for (int core = 0; core < coresOfNode; core++) {
        whole = whole.and(ofCores.get(node * coresOfNode + core));
      }
      ofNodes.add(whole);
    }
    topology = new HostTopology(ofNodes, ofCores);
    all = ProcessorSet.of("0-" + cores * threads);
    Files.writeString(place.resolve("cpuset.cpus.effective"), all.text() + "\n");
  }

  private void act() throws Exception {
    switch (random.nextInt(14)) {
      case 0, 1, 2 -> start();
      case 3, 4, 5 -> begin();
      case 6, 7 -> end();
      case 8 -> seeEnds();
      case 9 -> stand();
      case 10 -> goOn();
      case 11 -> otherExecutor();
      case 12 -> leftDies();
      default -> restart();
    }
    if (random.nextInt(12) == 0) {
      restart();
    }
  }

  /** An executor dies, and another one finds what is there. */
  private void restart() throws IOException {
    known.clear();
    spool = Spool.open(folder.spool);
    processors = new RunProcessors(Optional.of(new ProcessorGroups(place, topology)));
    List<LiveRun> found = LeftRuns.read(spool, folder.settings());
    processors.recover(found, spool);
    found.forEach(run -> known.put(run.id, run));
  }

  /** A job, a further run of one, or a task. */
  private void start() throws Exception {
    if (placed.size() >= MOST_RUNS) {
      return;
    }
    RunId id = new RunId(++lastJob + ".vm", 1);
    int wanted = random.nextInt(6);
    PlacedRun chosen = any(run -> !run.over);
    if (chosen != null && random.nextInt(3) == 0) {
      int task = chosen.id.task() + 1 + random.nextInt(3);
      id = new RunId(chosen.id.jobId(), chosen.id.run(), task);
      wanted = chosen.wanted;
    } else if (chosen != null && random.nextInt(5) == 0) {
      id = new RunId(chosen.id.jobId(), chosen.id.run() + 1);
    }
    if (placed.containsKey(id)) {
      return;
    }
    RunRequest request = request(id, wanted);
    if (random.nextInt(6) == 0) { // an executor dies between choice and start
      processors.bind(new LiveRun(id, "42"), request, known.values());
      restart();
    }
    LiveRun run = new LiveRun(id, "42");
    ProcessorSet left = left(id);
    String cpus = processors.bind(run, request, known.values());
    known.put(id, run);
    assertTrue(spool.create(request, folder.settings(), cpus));
    placed.put(id, new PlacedRun(id, wanted));
    checkChoice(id, wanted, ProcessorSet.of(cpus), left);
  }

  private void checkChoice(RunId id, int wanted, ProcessorSet chosen, ProcessorSet left)
      throws IOException {
    if (!chosen.isEmpty()) {
      bound++;
      boolean task =
          placed.values().stream().anyMatch(run -> run.isOfRun(id) && !run.id.equals(id));
      assertTrue(task || chosen.size() == wanted, id + " has " + chosen.text());
    } else if (wanted > 0) {
      unbound++;
      assertTrue(left.size() < wanted, id + " has none though " + left.text() + " are left");
    }
  }

  /** What nobody has, and nobody can be thought to have. */
  private ProcessorSet left(RunId id) throws IOException {
    ProcessorSet left = all.without(ofOtherExecutor());
    for (PlacedRun run : placed.values()) {
      LiveRun live = known.get(run.id);
      boolean givesWay = live != null && live.suspended && live.begun != null;
      if (run.left || !givesWay && !run.isOfRun(id) && !id.follows(run.id)) {
        left = left.without(of(run)).without(live == null ? ProcessorSet.NONE : live.processors);
      }
    }
    return left;
  }

  private RunRequest request(RunId id, int wanted) {
    RunRequest r =
        ExecutionFolder.withProcessors(
            folder.request(id.jobId(), new RunProgram.CommandProgram(List.of("true"))), wanted);
    return new RunRequest(id, r.owner(), r.program(), r.context(), r.files(), r.terms());
  }

  /** A supervisor makes the group, and then the claim. */
  private void begin() throws IOException {
    PlacedRun run = any(other -> !other.begun && !other.over);
    boolean first =
        run != null && placed.keySet().stream().noneMatch(earlier -> run.id.follows(earlier));
    if (!first) {
      return;
    }
    Path group = Files.createDirectories(place.resolve(run.id.directoryName()));
    Files.writeString(group.resolve("cpuset.cpus"), ofRequest(run).text());
    Files.writeString(group.resolve("cgroup.events"), "populated 1\n");
    Files.writeString(
        spool.directory(run.id).resolve("started"), "supervisor_pid=1\nsupervisor_start=1\n");
    run.begun = true;
    see(run);
  }

  /** An executor hears of it now, or when it looks for something else. */
  private void see(PlacedRun run) throws IOException {
    if (random.nextInt(4) > 0) {
      known.get(run.id).supervisedBy(spool.fields(run.id, "started").orElseThrow());
      known.get(run.id).stage = RunStage.RUNNING;
    }
  }

  private void end() throws IOException {
    PlacedRun run = any(other -> !other.over);
    if (run == null) {
      return;
    }
    run.over = true;
    run.left = run.begun && random.nextInt(8) == 0;
    if (run.begun && !run.left) {
      removeGroup(run.id.directoryName());
    }
    Files.writeString(spool.directory(run.id).resolve("outcome"), "exit_status=0\n");
    if (random.nextBoolean()) {
      seeEnds();
    }
  }

  /** The executor sees what has ended, reports it, and forgets it. */
  private void seeEnds() throws IOException {
    for (PlacedRun run : List.copyOf(placed.values())) {
      if (run.over && known.containsKey(run.id)) {
        known.get(run.id).stage = RunStage.ENDED;
        if (random.nextBoolean()) {
          spool.remove(run.id);
          known.remove(run.id);
        }
      }
      if (run.over && !run.left && !known.containsKey(run.id)) {
        placed.remove(run.id);
      }
    }
  }

  private void leftDies() throws IOException {
    PlacedRun run = any(other -> other.left);
    if (run != null) {
      run.left = false;
      // Nobody removes the group of a run that is over.
      Files.writeString(
          place.resolve(run.id.directoryName()).resolve("cgroup.events"), "populated 0\n");
    }
  }

  /** A run may be told to stand still before it begins. */
  private void stand() throws IOException {
    PlacedRun run = any(other -> !other.over);
    if (run != null) {
      order(run, OrderSubject.SUSPEND);
      run.told = true;
    }
  }

  private void goOn() throws IOException {
    PlacedRun run = any(other -> !other.over);
    if (run != null) {
      ProcessorSet before = of(run);
      order(run, OrderSubject.RESUME);
      rebound += before.equals(of(run)) ? 0 : 1;
      run.told = false;
    }
  }

  /** An order that was interrupted is read again. */
  private void order(PlacedRun run, String what) throws IOException {
    processors.standing(known.get(run.id), what, known.values());
    if (random.nextInt(4) == 0) {
      restart();
      processors.standing(known.get(run.id), what, known.values());
    }
    spool.order(run.id, 0, what);
  }

  /** One that keeps to the same rule. */
  private void otherExecutor() throws IOException {
    Path run = place.resolveSibling("spool-there").resolve("1.there." + (others + 1));
    Path before = run.resolveSibling("1.there." + others);
    if (Files.exists(before)) {
      Files.delete(before.resolve("cpuset.cpus"));
      Files.delete(before);
      return;
    }
    ProcessorSet left = all;
    for (PlacedRun here : placed.values()) {
      left = left.without(of(here)); // also of those that stand still, and come back
    }
    for (LiveRun here : known.values()) {
      left = left.without(here.processors); // a task of one whose end was not seen may come
    }
    if (!left.isEmpty()) {
      others++;
      Files.createDirectories(run);
      Files.writeString(run.resolve("cpuset.cpus"), left.numbers().first() + "\n");
    }
  }

  private ProcessorSet ofOtherExecutor() throws IOException {
    Path file = place.resolveSibling("spool-there").resolve("1.there." + others + "/cpuset.cpus");
    return Files.exists(file) ? ProcessorSet.of(Files.readString(file)) : ProcessorSet.NONE;
  }

  private void removeGroup(String run) throws IOException {
    Path group = place.resolve(run);
    for (Path file : Spool.list(group)) {
      Files.delete(file);
    }
    Files.delete(group);
  }

  private PlacedRun any(Predicate<PlacedRun> which) {
    List<PlacedRun> some = placed.values().stream().filter(which).toList();
    return some.isEmpty() ? null : some.get(random.nextInt(some.size()));
  }

  /** What the kernel lets a run have, or will when it begins; none: all. */
  private ProcessorSet of(PlacedRun run) throws IOException {
    if (!run.begun) {
      return run.over ? ProcessorSet.NONE : ofRequest(run);
    }
    Path file = place.resolve(run.id.directoryName()).resolve("cpuset.cpus");
    return !Files.exists(file) || run.over && !run.left
        ? ProcessorSet.NONE
        : ProcessorSet.of(Files.readString(file));
  }

  private ProcessorSet ofRequest(PlacedRun run) throws IOException {
    return ProcessorSet.of(spool.request(run.id).orElseThrow().text("cpus"));
  }

  private void check() throws IOException {
    Map<Integer, RunId> owners = new LinkedHashMap<>();
    ProcessorSet elsewhere = ofOtherExecutor();
    for (PlacedRun run : placed.values()) {
      if (run.stands()) {
        continue;
      }
      assertEquals("", of(run).in(elsewhere).text(), run.id + " and another executor's");
      for (int number : of(run).numbers()) {
        RunId owner = owners.putIfAbsent(number, run.id);
        boolean both =
            owner == null || run.isOfRun(owner) || run.id.follows(owner) || owner.follows(run.id);
        assertTrue(both, "processor " + number + " of " + owner + " and " + run.id);
      }
    }
  }
}
