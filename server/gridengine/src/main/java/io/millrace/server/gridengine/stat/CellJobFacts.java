package io.millrace.server.gridengine.stat;

import io.millrace.schedulers.gridengine.language.request.Submission;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.state.Job;
import io.millrace.server.gridengine.cell.CellJobs;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A job of the cell in Grid Engine's terms, for qstat -j. */
final class CellJobFacts {

  /** Variables that a submission sets by itself. */
  private static final Set<String> OWN =
      Set.of("REQUEST", "JOB_SCRIPT", "SGE_CELL", "SGE_CLUSTER_NAME");

  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("MM/dd/yyyy HH:mm:ss");

  private final CellView view;
  private final long number;

  CellJobFacts(CellView view, long number) {
    this.view = view;
    this.number = number;
  }

  CellView view() {
    return view;
  }

  long number() {
    return number;
  }

  Job job() {
    return view.jobs().get(number).get(0);
  }

  JobSpec spec() {
    return job().getSpec();
  }

  Submission asked() {
    return view.asked(number);
  }

  /** Tasks that run, in the order of their numbers; a job that is no array is its task 1. */
  List<Job> runs() {
    return view.jobs().get(number).stream().filter(CellJobs::runs).toList();
  }

  /** Tasks in the error state, in the order of their numbers. */
  List<Job> inError() {
    return view.jobs().get(number).stream().filter(job -> job.getError() != null).toList();
  }

  /** When and why the task could not be started. */
  static String error(Job task, ZoneId zone) {
    Instant at = Instant.ofEpochMilli(task.getError().getAtMs());
    return TIME.format(at.atZone(zone)) + " " + task.getError().getMessage();
  }

  static int task(Job job) {
    return Math.max(1, job.getSpec().getGridEngine().getTask());
  }

  /** Whether who asks may see variables, program and arguments; each submission sets variables. */
  boolean inFull() {
    return !spec().getVariables().isEmpty();
  }

  boolean binary() {
    return inFull() ? !spec().getArgv().isEmpty() : asked().binary();
  }

  String account() {
    return spec().getAccount().isEmpty() ? "sge" : spec().getAccount();
  }

  String variable(String name) {
    for (Attribute variable : spec().getVariables()) {
      if (variable.getName().equals(name)) {
        return variable.getValue();
      }
    }
    return "";
  }

  /** Variables that its user exported with -v or -V. */
  Map<String, String> exported() {
    Map<String, String> exported = new LinkedHashMap<>();
    for (Attribute variable : spec().getVariables()) {
      String name = variable.getName();
      if (!OWN.contains(name) && !name.startsWith("SGE_O_") && !name.startsWith("SGE_TASK_")) {
        exported.put(name, variable.getValue());
      }
    }
    return exported;
  }

  String script() {
    return binary() || asked().command().isEmpty() ? variable("JOB_SCRIPT") : "";
  }

  /** What its program is given; the words of -b y cannot be told apart any more. */
  List<String> arguments() {
    if (spec().getArgv().isEmpty()) {
      return spec().getGridEngine().getArguments();
    }
    String words = spec().getArgv().get(spec().getArgv().size() - 1);
    List<String> all = new ArrayList<>(List.of(words.split(" ")));
    return all.subList(1, all.size());
  }
}
