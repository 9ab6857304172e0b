package io.millrace.connectors.local;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Everything that is needed to start a run. */
public record RunRequest(
    RunId id,
    RunOwner owner,
    RunProgram program,
    RunContext context,
    RunFiles files,
    RunTerms terms) {

  /** The name of the file that tells what to bring and to take away. */
  static final String STAGE = "stage";

  /** The name of the script in the run directory. */
  String scriptName() {
    return id.jobId() + ".SC";
  }

  /**
   * The records {@code key=value} of the file {@code request}, in the order in which a supervisor
   * reads them.
   */
  List<String> records(LocalSettings settings) throws IOException {
    List<String> records = new ArrayList<>();
    records.add("jobid=" + id.jobId());
    records.add("run=" + id.run());
    records.add("origin=" + terms.origin());
    records.add("user=" + owner.user());
    records.add("group=" + owner.group());
    records.add("allow_root=" + (settings.allowRootJobs() ? 1 : 0));
    records.add("durable=" + (settings.durable() ? 1 : 0));
    records.add("tmp=" + settings.tmp());
    records.addAll(files.records(new SharedPaths(settings.spool())));
    records.add("join=" + files.join());
    records.add("umask=" + Integer.toOctalString(files.umask()));
    if (!files.staging().none()) {
      records.add("stage=" + STAGE);
      records.add("node=" + files.staging().node());
      records.add("own_directory=" + (files.staging().ownDirectory() ? 1 : 0));
    }
    records.add("walltime_s=" + terms.walltimeS());
    records.add("cput_s=" + terms.cpu().cputS());
    records.add("pcput_s=" + terms.cpu().pcputS());
    records.add("kill_delay_s=" + terms.killDelayS());
    records.add("ncpus=" + context.ncpus());
    records.add("name=" + context.jobName());
    records.add("queue=" + context.queue());
    records.add("account=" + terms.account());
    records.add("resources=" + terms.resources());
    if (program instanceof RunProgram.Script script) {
      records.add("script=" + scriptName());
      records.add("shell=" + script.shell());
      records.add("login=" + (script.login() ? 1 : 0));
      script.arguments().forEach(word -> records.add("arg=" + word));
    } else if (program instanceof RunProgram.Command command) {
      command.words().forEach(word -> records.add("arg=" + word));
    } else if (program instanceof RunProgram.Task task) {
      records.add("task=" + id.task());
      records.add("report_max=" + (task.awaited() ? Printed.MAX : -1));
      task.words().forEach(word -> records.add("arg=" + word));
    } else if (program instanceof RunProgram.Terminal terminal) {
      records.add("terminal=" + terminal.socket());
      records.add("shell=" + terminal.shell());
    }
    if (!context.start().equals(RunContext.Start.HOME)) {
      records.add("directory=" + context.start().directory());
      records.add("nodes_also=" + context.start().nodesAlso());
    }
    environment().forEach((name, value) -> records.add("env=" + name + "=" + value));
    for (String record : records) {
      if (record.indexOf('\0') >= 0) {
        throw new IllegalArgumentException("a NUL character in the request of " + id);
      }
    }
    return records;
  }

  /** The job's own variables, overlaid with PBS's. */
  private Map<String, String> environment() {
    Map<String, String> environment = new TreeMap<>(context.variables());
    environment.keySet().removeIf(name -> name.isEmpty() || name.indexOf('=') >= 0);
    environment.put("PBS_JOBID", id.jobId());
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
    int place = program instanceof RunProgram.Task task ? task.place() : 0;
    environment.put("PBS_NODENUM", Integer.toString(place));
    environment.put("PBS_TASKNUM", Integer.toString(id.task() + 1));
    // PBS does not tell a job which run of it this is.
    environment.put("MILLRACE_RUN", Integer.toString(id.run()));
    return environment;
  }
}
