package io.millrace.connectors.local.order;

import io.millrace.connectors.local.report.ReportOrigin;
import io.millrace.connectors.local.run.CpuLimits;
import io.millrace.connectors.local.run.MemoryLimits;
import io.millrace.connectors.local.run.OutputDestination;
import io.millrace.connectors.local.run.RunContext;
import io.millrace.connectors.local.run.RunFiles;
import io.millrace.connectors.local.run.RunId;
import io.millrace.connectors.local.run.RunLimits;
import io.millrace.connectors.local.run.RunNodes;
import io.millrace.connectors.local.run.RunOwner;
import io.millrace.connectors.local.run.RunProgram;
import io.millrace.connectors.local.run.RunRequest;
import io.millrace.connectors.local.run.RunTerms;
import io.millrace.connectors.local.run.Staging;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.output.StartRun;
import io.millrace.schemas.output.TaskOrder;
import io.millrace.schemas.pbs.jobs.JobAttributes;
import io.millrace.schemas.pbs.jobs.JobNumbers;
import io.millrace.schemas.pbs.jobs.NodeFile;
import io.millrace.schemas.pbs.jobs.RunWalltimes;
import io.millrace.schemas.pbs.jobs.StagingPair;
import io.millrace.schemas.pbs.resources.NodeAmounts;
import io.millrace.schemas.pbs.resources.PlaceRequest;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Turns orders of the topic dispatch into requests to an execution. */
final class OrderedRuns {
  private static final String NCPUS = "ncpus";
  private static final String OMPTHREADS = "ompthreads";

  private OrderedRuns() {}

  /**
   * @param offset of the order in the topic dispatch
   * @throws IllegalArgumentException in one line, when the order cannot be carried out as it is
   */
  static RunRequest of(StartRun order, long offset) {
    JobSpec spec = order.getSpec();
    List<NodeShare> shares = order.getAllocation().getShares();
    if (shares.isEmpty()) {
      throw new IllegalArgumentException("the order to start the run names no node");
    }
    ReportOrigin origin = new ReportOrigin(order.getShard(), offset, allCpus(shares));
    TaskOrder task = order.getTask();
    // The supervisor of the script enforces the walltime of a run, and its tasks end with it.
    long walltimeS =
        task == null ? RunWalltimes.of(spec, order.getAllocation()) : RunWalltimes.NONE;
    return new RunRequest(
        new RunId(order.getJobId(), order.getRun(), task == null ? 0 : task.getNumber()),
        new RunOwner(spec.getOwner(), spec.getGroup()),
        program(order),
        spec.getGridEngine() == null || order.getAllocation().getGridEngine() == null
            ? context(order, shares)
            : GridEngineEnvironment.context(order, context(order, shares)),
        files(order),
        new RunTerms(
            new RunLimits(
                walltimeS,
                task == null ? RunWalltimes.soft(order.getAllocation()) : RunWalltimes.NONE,
                task == null ? CpuLimits.of(spec) : CpuLimits.of(spec).ofTask(),
                MemoryLimits.of(shares, order.getHost()),
                order.getOutputMaxKb(),
                processors(order, shares)),
            order.getKillDelayS(),
            origin.text(),
            spec.getAccount(),
            resources(spec),
            spec.getCampaign()));
  }

  /**
   * What was set aside on the host for the script and all tasks together. Who is alone on his nodes
   * has the host as a whole.
   */
  private static int processors(StartRun order, List<NodeShare> shares) {
    String place = order.getSpec().getRequest().getPlace();
    if (PlaceRequest.parse(place).stream().anyMatch(asked -> !asked.sharing().shares())) {
      return 0;
    }
    long sum = 0;
    for (NodeShare share : shares) {
      sum += share.getHost().equals(order.getHost()) ? amount(share, NCPUS) : 0;
    }
    return (int) Math.min(sum, Integer.MAX_VALUE);
  }

  private static String resources(JobSpec spec) {
    return spec.getResourceList().stream()
        .map(resource -> resource.getName() + "=" + resource.getValue())
        .collect(Collectors.joining(","));
  }

  private static RunFiles files(StartRun order) {
    JobSpec spec = order.getSpec();
    if (order.getTask() == null && !spec.getTerminal().isEmpty()) {
      return new RunFiles("/dev/null", "/dev/null", "n", umask(spec), "", staging(order));
    }
    int umask = umask(spec);
    if (order.getTask() != null) {
      String output = ofTask(path(spec, spec.getOutputPath()), order, "OU");
      String error = ofTask(path(spec, spec.getErrorPath()), order, "ER");
      Staging none = new Staging(order.getHost(), false, List.of(), List.of());
      return new RunFiles(output, error, spec.getJoinPath(), umask, "", none);
    }
    String keep = JobAttributes.passed(spec, "Keep_Files", "n");
    Staging staging = staging(order);
    boolean direct = keep.indexOf('d') >= 0;
    // A private job directory is removed at the end, with all files that would be kept there.
    boolean atHome = !direct && !staging.ownDirectory();
    return new RunFiles(
        atHome && keep.indexOf('o') >= 0 ? kept(order, 'o') : path(spec, spec.getOutputPath()),
        atHome && keep.indexOf('e') >= 0 ? kept(order, 'e') : path(spec, spec.getErrorPath()),
        spec.getJoinPath(),
        umask,
        direct ? keep.replaceAll("[^oe]", "") : "",
        staging);
  }

  /** Grid Engine's output is written on the executing host, whatever host its path names. */
  private static String path(JobSpec spec, String given) {
    return spec.getGridEngine() == null ? given : OutputDestination.of(given).path();
  }

  /** PBS's default name, in the owner's home. */
  private static String kept(StartRun order, char letter) {
    long number = JobNumbers.of(order.getJobId());
    String index = JobNumbers.isSubjob(number) ? "." + JobNumbers.index(number) : "";
    String job = order.getJobId().replaceFirst("^(\\d+).*", "$1");
    return "./" + order.getSpec().getName() + "." + letter + job + index;
  }

  /** The job's umask, which its attributes have in octal digits. */
  private static int umask(JobSpec spec) {
    String digits = JobAttributes.passed(spec, "umask", "");
    return digits.matches("[0-7]{1,3}") ? Integer.parseInt(digits, 8) : RunFiles.DEFAULT_UMASK;
  }

  private static Staging staging(StartRun order) {
    JobSpec spec = order.getSpec();
    return new Staging(
        order.getHost(),
        JobAttributes.passed(spec, "sandbox", "").equals("PRIVATE"),
        StagingPair.list(JobAttributes.passed(spec, "stagein", "")),
        StagingPair.list(JobAttributes.passed(spec, "stageout", "")));
  }

  /** Where output of a task goes that is too large for its report: beside the job's output. */
  private static String ofTask(String path, StartRun order, String suffix) {
    if (path.endsWith("/dev/null")) {
      return path;
    }
    String file = path.endsWith("/") ? path + order.getJobId() + "." + suffix : path;
    return file + "." + order.getTask().getNumber();
  }

  private static RunProgram program(StartRun order) {
    JobSpec spec = order.getSpec();
    if (order.getTask() != null) {
      TaskOrder task = order.getTask();
      return new RunProgram.TaskProgram(task.getArgv(), task.getPlace(), task.getAwaited());
    }
    if (!spec.getTerminal().isEmpty()) {
      return new RunProgram.Terminal(spec.getTerminal(), shell(order));
    }
    if (!spec.getArgv().isEmpty()) {
      return new RunProgram.CommandProgram(command(order));
    }
    ByteBuffer script = order.getScript().duplicate();
    byte[] text = new byte[script.remaining()];
    script.get(text);
    return spec.getGridEngine() == null
        ? new RunProgram.Script(text, shell(order))
        : new RunProgram.Script(text, shell(order), spec.getGridEngine().getArguments(), false);
  }

  /** In Grid Engine a shell starts a command: the one of -S, also when that came later. */
  private static List<String> command(StartRun order) {
    List<String> words = new ArrayList<>(order.getSpec().getArgv());
    if (order.getSpec().getGridEngine() != null && !shell(order).isEmpty()) {
      words.set(0, shell(order));
    }
    return words;
  }

  private static String shell(StartRun order) {
    return JobAttributes.forHost(order.getSpec().getShell(), order.getHost());
  }

  private static RunContext context(StartRun order, List<NodeShare> shares) {
    JobSpec spec = order.getSpec();
    Map<String, String> variables = new HashMap<>();
    for (Attribute variable : spec.getVariables()) {
      variables.put(variable.getName(), variable.getValue());
    }
    long number = JobNumbers.of(order.getJobId());
    if (JobNumbers.isSubjob(number)) {
      variables.put("PBS_ARRAY_INDEX", Integer.toString(JobNumbers.index(number)));
      variables.put("PBS_ARRAY_ID", order.getJobId().replaceFirst("\\[\\d+]", "[]"));
    }
    NodeShare first = shares.get(share(order, shares));
    long threads = ofOneChunk(first, OMPTHREADS);
    if (threads > 0) {
      variables.putIfAbsent("OMP_NUM_THREADS", Long.toString(threads));
    }
    int ncpus = (int) Math.max(1, ofOneChunk(first, NCPUS));
    return new RunContext(
        spec.getName(), spec.getQueue(), variables, nodes(shares), ncpus, RunContext.RunStart.HOME);
  }

  /** Which of the shares is that of the script or the task, as an index. */
  private static int share(StartRun order, List<NodeShare> shares) {
    if (order.getTask() == null) {
      return 0;
    }
    List<Integer> lines = NodeFile.sharesOf(shares);
    int place = order.getTask().getPlace();
    if (place < 0 || place >= lines.size()) {
      throw new IllegalArgumentException("the run has no place " + place + " for a task");
    }
    return lines.get(place);
  }

  private static RunNodes nodes(List<NodeShare> shares) {
    List<String> lines =
        NodeFile.sharesOf(shares).stream().map(share -> shares.get(share).getHost()).toList();
    Map<String, List<NodeShare>> byHost =
        shares.stream()
            .collect(
                Collectors.groupingBy(NodeShare::getHost, LinkedHashMap::new, Collectors.toList()));
    List<RunNodes.NodeHost> hosts = new ArrayList<>();
    byHost.forEach(
        (host, here) ->
            hosts.add(
                new RunNodes.NodeHost(
                    host,
                    NodeFile.sharesOf(here).size(),
                    Math.max(1, allCpus(here)),
                    MemoryLimits.of(here, host).memKb(),
                    here.stream().mapToInt(NodeShare::getChunks).sum(),
                    amounts(here))));
    return new RunNodes(lines, hosts);
  }

  /** All that was set aside on a host. */
  private static Map<String, Long> amounts(List<NodeShare> shares) {
    Map<String, Long> sum = new HashMap<>();
    shares.forEach(it -> NodeAmounts.add(sum, it.getAmounts()));
    return sum;
  }

  private static int allCpus(List<NodeShare> shares) {
    long sum = 0;
    for (NodeShare share : shares) {
      sum += amount(share, NCPUS);
    }
    return (int) sum;
  }

  private static long ofOneChunk(NodeShare share, String resource) {
    return amount(share, resource) / Math.max(1, share.getChunks());
  }

  private static long amount(NodeShare share, String resource) {
    return share.getAmounts().getOrDefault(resource, 0L);
  }
}
