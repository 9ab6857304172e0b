package io.millrace.server.gridengine.submit;

import io.millrace.schedulers.gridengine.language.cluster.QueueInstance;
import io.millrace.schedulers.gridengine.language.options.Numbers;
import io.millrace.schedulers.gridengine.language.request.AttributeRequest;
import io.millrace.schedulers.gridengine.language.request.Needs;
import io.millrace.schedulers.gridengine.language.request.Submission;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.Chunk;
import io.millrace.schemas.common.GridEngineRequest;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.common.ResourceRequest.Builder;
import io.millrace.schemas.common.Script;
import io.millrace.schemas.pbs.jobs.JobAttributes;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gridengine.cell.Cell;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What a submission becomes as a job of a shard. */
public final class CellJobBuilder {

  private static final int CATEGORY_MAX = 400;

  private final Call call;
  private final Cell cell;
  private final JobVariables variables;

  public CellJobBuilder(Call call, Cell cell) {
    this.call = call;
    this.cell = cell;
    this.variables = new JobVariables(call, cell);
  }

  /**
   * The job without its variables.
   *
   * @param script null for a command
   * @param name of the job
   */
  JobSpec spec(Submission asked, Needs needs, Script script, String name) {
    JobSpec spec = new JobSpec();
    spec.setName(name);
    spec.setOwner(call.invocation().user());
    spec.setGroup(call.invocation().group());
    spec.setSubmitHost(call.host());
    spec.setQueue(cell.queue().orElseThrow().getName());
    spec.setPriority(asked.priority());
    spec.setRerunnable(asked.rerun().orElse(true));
    spec.setAccount(asked.account().orElse(""));
    spec.setProject(asked.project().isEmpty() ? "_pbs_project_default" : asked.project());
    spec.setRequest(request(needs));
    spec.setResourceList(shown(spec.getRequest()));
    spec.setOutputPath(output(asked, asked.output(), name, 'o'));
    spec.setErrorPath(output(asked, asked.errors(), name, 'e'));
    spec.setJoinPath(asked.joined() ? "oe" : "n");
    String shell = shell(asked, script);
    spec.setShell(shell);
    spec.setVariables(List.of());
    List<String> command = asked.command();
    boolean binary = script == null;
    spec.setScriptHash(binary ? ByteBuffer.allocate(0) : script.getHash());
    // Grid Engine has a shell start the words of -b y, joined by blanks.
    spec.setArgv(binary ? List.of(shell, "-c", String.join(" ", command)) : List.of());
    spec.setSubmitArguments(String.join(" ", call.args()));
    spec.setExtra(passed(asked));
    spec.setTerminal("");
    spec.setCampaign("");
    spec.setGridEngine(
        gridEngine(
            asked,
            needs,
            asked.directory(call.invocation().directory()).orElse(""),
            binary || command.isEmpty() ? List.of() : command.subList(1, command.size())));
    return spec;
  }

  /** Attributes that shards pass on. */
  static List<Attribute> passed(Submission asked) {
    return StayingSubmission.wanted(asked)
        ? List.of(new Attribute(JobAttributes.BLOCK, "True"))
        : List.of();
  }

  /** One task's job: the variables tell the task its number. */
  JobSpec task(JobSpec job, Submission asked, int task, long array) {
    JobSpec spec = JobSpec.newBuilder(job).build();
    spec.setVariables(variables.of(asked, job, task));
    spec.setGridEngine(
        GridEngineRequest.newBuilder(job.getGridEngine())
            .setTask(asked.array() ? task : 0)
            .setArray(array)
            .build());
    return spec;
  }

  private static GridEngineRequest gridEngine(
      Submission asked, Needs needs, String directory, List<String> arguments) {
    return GridEngineRequest.newBuilder()
        .setOptions(asked.words())
        .setCategory("")
        .setSlotsMax(needs.environment().map(e -> e.slots().most()).orElse(1))
        .setImmediate(asked.immediate())
        .setDirectory(directory)
        .setArguments(arguments)
        .build();
  }

  /** The same for a changed request; what does not change with it is taken from the old one. */
  public static GridEngineRequest changed(GridEngineRequest before, Submission asked, Needs needs) {
    return GridEngineRequest.newBuilder(
            gridEngine(asked, needs, before.getDirectory(), before.getArguments()))
        .build();
  }

  /** A text that tells classes of jobs apart; a long one is cut down to a digest of it. */
  public static String category(Submission asked, String owner) {
    String text = asked.category(owner);
    return text.length() <= CATEGORY_MAX
        ? text
        : text.substring(0, CATEGORY_MAX / 2) + " #" + Digest.hex(text);
  }

  /** As many processors as the least number of slots; the scheduler may give more. */
  public static io.millrace.schemas.common.ResourceRequest request(Needs needs) {
    long limit =
        needs
            .hard("h_rt")
            .map(AttributeRequest::amount)
            .filter(s -> s < Numbers.UNLIMITED_S)
            .orElse(-1.0)
            .longValue();
    Builder request = io.millrace.schemas.common.ResourceRequest.newBuilder();
    return request
        .setChunks(List.of(new Chunk(least(needs), Map.of("ncpus", 1L), Map.of())))
        .setPlace("free")
        .setWalltimeS(limit)
        .build();
  }

  /** The least number of slots that a run takes. */
  public static int least(Needs needs) {
    return needs.environment().map(e -> e.slots().least()).orElse(1);
  }

  /** The request as PBS's commands show it. */
  public static List<Attribute> shown(io.millrace.schemas.common.ResourceRequest request) {
    List<Attribute> shown = new ArrayList<>();
    int count = request.getChunks().get(0).getCount();
    shown.add(new Attribute("ncpus", Integer.toString(count)));
    shown.add(new Attribute("nodect", Integer.toString(count)));
    shown.add(new Attribute("place", request.getPlace()));
    shown.add(new Attribute("select", count + ":ncpus=1"));
    long limit = request.getWalltimeS();
    if (limit >= 0) {
      shown.add(
          new Attribute(
              "walltime",
              String.format("%02d:%02d:%02d", limit / 3600, limit / 60 % 60, limit % 60)));
    }
    return shown;
  }

  /** Where output goes; the shard puts job and task in place of their variables. */
  public String output(
      Submission asked, java.util.Optional<String> wanted, String name, char kind) {
    String home = call.invocation().environment().getOrDefault("HOME", "");
    String file = name + "." + kind + "$JOB_ID" + (asked.array() ? ".$TASK_ID" : "");
    String base = asked.directory(call.invocation().directory()).orElse(home);
    String path = wanted.map(list -> list.split(",")[0]).orElse("");
    int colon = path.indexOf(':');
    path = colon >= 0 && path.indexOf('/') != 0 ? path.substring(colon + 1) : path;
    path =
        path.replace("$HOME", home)
            .replace("$USER", call.invocation().user())
            .replace("$JOB_NAME", name);
    if (path.isEmpty()) {
      path = file;
    } else if (path.endsWith("/") || directory(path)) {
      path = path + (path.endsWith("/") ? "" : "/") + file;
    }
    String absolute = path.startsWith("/") ? path : base + "/" + path;
    return call.site().host() + ":" + absolute;
  }

  /** The client reads no directory, and says so. */
  private boolean directory(String path) {
    if (path.contains("$")) {
      return false;
    }
    try {
      call.invocation().readFile(path, 1);
      return false;
    } catch (java.io.IOException e) {
      return "Is a directory".equals(e.getMessage());
    }
  }

  /** The shell that is meant by -S; what stands behind an @ is a host. */
  public static String firstShell(String list) {
    String first = list.split(",")[0];
    return first.indexOf('@') < 0 ? first : first.substring(0, first.indexOf('@'));
  }

  /** -S, else what the queues start jobs with. */
  private String shell(Submission asked, Script script) {
    if (asked.shell().isPresent()) {
      return firstShell(asked.shell().get());
    }
    QueueInstance queue = cell.configuration().cluster().queues().get(0);
    if (script != null && queue.settings().get("shell_start_mode").equals("unix_behavior")) {
      String first = ScriptTexts.of(script).lines().findFirst().orElse("");
      if (first.startsWith("#!") && !first.substring(2).strip().contains(" ")) {
        return first.substring(2).strip();
      }
    }
    return queue.settings().get("shell");
  }
}
