package io.millrace.connectors.local.spool;

import io.millrace.connectors.local.run.LocalSettings;
import io.millrace.connectors.local.run.OutputDestination;
import io.millrace.connectors.local.run.PrintedOutput;
import io.millrace.connectors.local.run.RunContext;
import io.millrace.connectors.local.run.RunFiles;
import io.millrace.connectors.local.run.RunId;
import io.millrace.connectors.local.run.RunProgram;
import io.millrace.connectors.local.run.RunRequest;
import io.millrace.connectors.local.run.RunTerms;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The file {@code request} of a run directory: all that a supervisor needs to know about the run.
 */
final class RequestFile {

  /** The name of the file that tells what to bring and to take away. */
  static final String STAGE = "stage";

  private RequestFile() {}

  /** The name of the script in the run directory. */
  static String scriptName(RunRequest request) {
    return request.id().jobId() + ".SC";
  }

  /**
   * The records {@code key=value} of the file {@code request}, in the order in which a supervisor
   * reads them.
   *
   * @param cpus the processors that it is bound to, in the kernel's form; empty: to none
   */
  static List<String> records(RunRequest request, LocalSettings settings, String cpus)
      throws IOException {
    RunId id = request.id();
    RunContext context = request.context();
    RunFiles files = request.files();
    RunTerms terms = request.terms();
    List<String> records = new ArrayList<>();
    records.add("jobid=" + id.jobId());
    records.add("run=" + id.run());
    records.add("origin=" + terms.origin());
    records.add("user=" + request.owner().user());
    records.add("group=" + request.owner().group());
    records.add("allow_root=" + (settings.allowRootJobs() ? 1 : 0));
    records.add("durable=" + (settings.durable() ? 1 : 0));
    records.add("tmp=" + settings.tmp());
    records.addAll(output(files, new SharedPaths(settings.spool())));
    records.add("join=" + files.join());
    records.add("umask=" + Integer.toOctalString(files.umask()));
    if (!files.staging().none()) {
      records.add("stage=" + STAGE);
      records.add("node=" + files.staging().node());
      records.add("own_directory=" + (files.staging().ownDirectory() ? 1 : 0));
    }
    records.add("walltime_s=" + terms.limits().walltimeS());
    records.add("soft_walltime_s=" + terms.limits().softWalltimeS());
    records.add("cput_s=" + terms.limits().cpu().cputS());
    records.add("pcput_s=" + terms.limits().cpu().pcputS());
    records.add("mem_kb=" + terms.limits().memory().memKb());
    records.add("vmem_kb=" + terms.limits().memory().vmemKb());
    records.add("output_kb=" + terms.limits().outputKb());
    if (!cpus.isEmpty()) {
      records.add("cpus=" + cpus);
    }
    records.add("kill_delay_s=" + terms.killDelayS());
    records.add("ncpus=" + context.ncpus());
    records.add("name=" + context.jobName());
    records.add("queue=" + context.queue());
    records.add("account=" + terms.account());
    records.add("resources=" + terms.resources());
    records.addAll(program(request));
    if (!context.start().equals(RunContext.RunStart.HOME)) {
      records.add("directory=" + context.start().directory());
      records.add("nodes_also=" + context.start().nodesAlso());
      records.add("checked=" + (context.start().checked() ? 1 : 0));
    }
    environment(request).forEach((name, value) -> records.add("env=" + name + "=" + value));
    for (String record : records) {
      if (record.indexOf('\0') >= 0) {
        throw new IllegalArgumentException("a NUL character in the request of " + id);
      }
    }
    return records;
  }

  /** Records of the program that is executed. */
  private static List<String> program(RunRequest request) {
    RunProgram program = request.program();
    List<String> records = new ArrayList<>();
    if (program instanceof RunProgram.Script script) {
      records.add("script=" + scriptName(request));
      records.add("shell=" + script.shell());
      records.add("login=" + (script.login() ? 1 : 0));
      script.arguments().forEach(word -> records.add("arg=" + word));
    } else if (program instanceof RunProgram.CommandProgram command) {
      command.words().forEach(word -> records.add("arg=" + word));
    } else if (program instanceof RunProgram.TaskProgram task) {
      records.add("task=" + request.id().task());
      records.add("report_max=" + (task.awaited() ? PrintedOutput.MAX : -1));
      task.words().forEach(word -> records.add("arg=" + word));
    } else if (program instanceof RunProgram.Terminal terminal) {
      records.add("terminal=" + terminal.socket());
      records.add("shell=" + terminal.shell());
    }
    return records;
  }

  /** Records of where output and error output go. */
  private static List<String> output(RunFiles files, SharedPaths shared) throws IOException {
    OutputDestination out =
        shared.seenFrom(OutputDestination.of(files.output()), files.staging().node());
    OutputDestination err =
        shared.seenFrom(OutputDestination.of(files.error()), files.staging().node());
    boolean told = shared.told();
    String written = files.direct();
    if (told && !out.host().isEmpty()) {
      written = written.replace("o", "");
    }
    if (told && !err.host().isEmpty()) {
      written = written.replace("e", "");
    }
    List<String> records = new ArrayList<>();
    records.add("output=" + out.path());
    records.add("error=" + err.path());
    records.add("direct=" + written);
    if (!out.host().isEmpty() || !err.host().isEmpty()) {
      records.add("output_host=" + out.host());
      records.add("error_host=" + err.host());
      records.add("homes_shared=" + (told ? 0 : 1));
    }
    return records;
  }

  /** The job's own variables, overlaid with PBS's. */
  private static Map<String, String> environment(RunRequest request) {
    RunContext context = request.context();
    RunTerms terms = request.terms();
    RunProgram program = request.program();
    Map<String, String> environment = new TreeMap<>(context.variables());
    environment.keySet().removeIf(name -> name.isEmpty() || name.indexOf('=') >= 0);
    environment.put("PBS_JOBID", request.id().jobId());
    environment.put("PBS_JOBNAME", context.jobName());
    environment.put("PBS_QUEUE", context.queue());
    boolean interactive = program instanceof RunProgram.Terminal;
    environment.put("PBS_ENVIRONMENT", interactive ? "PBS_INTERACTIVE" : "PBS_BATCH");
    if (!interactive) {
      environment.put("ENVIRONMENT", "BATCH");
    }
    if (!terms.account().isEmpty()) {
      environment.put("PBS_ACCOUNT", terms.account());
    }
    int place = program instanceof RunProgram.TaskProgram task ? task.place() : 0;
    environment.put("PBS_NODENUM", Integer.toString(place));
    environment.put("PBS_TASKNUM", Integer.toString(request.id().task() + 1));
    // PBS does not tell a job which run of it this is.
    environment.put("MILLRACE_RUN", Integer.toString(request.id().run()));
    return environment;
  }
}
