package io.millrace.server.gridengine.submit;

import io.millrace.schedulers.gridengine.language.request.Submission;
import io.millrace.schedulers.gridengine.language.request.TaskRange;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.JobSpec;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gridengine.cell.Cell;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Variables of a job that are known when it is submitted; the others come from its host. */
final class JobVariables {

  private static final String UNDEFINED = "undefined";

  private final Call call;
  private final Cell cell;

  JobVariables(Call call, Cell cell) {
    this.call = call;
    this.cell = cell;
  }

  List<Attribute> of(Submission asked, JobSpec job, int task) {
    Map<String, String> environment = call.invocation().environment();
    Map<String, String> variables = new TreeMap<>();
    if (asked.allVariables()) {
      variables.putAll(environment);
    }
    for (String item : asked.variables().map(list -> list.split(",")).orElse(new String[0])) {
      int equals = item.indexOf('=');
      String name = equals < 0 ? item : item.substring(0, equals);
      if (!name.isBlank()) {
        variables.put(
            name, equals < 0 ? environment.getOrDefault(name, "") : item.substring(equals + 1));
      }
    }
    variables.keySet().removeAll(Call.NOT_FOR_JOBS);
    for (String name : List.of("HOME", "LOGNAME", "PATH", "SHELL", "MAIL", "TZ")) {
      if (environment.containsKey(name)) {
        variables.put("SGE_O_" + name, environment.get(name));
      }
    }
    variables.put("SGE_O_HOST", call.host());
    variables.put("SGE_O_WORKDIR", call.invocation().directory());
    variables.put("SGE_CELL", cell.name());
    variables.put("SGE_CLUSTER_NAME", call.site().server());
    variables.put("REQUEST", job.getName());
    // What is started, as it was typed, whatever the job is called.
    variables.put("JOB_SCRIPT", asked.command().isEmpty() ? "STDIN" : asked.command().get(0));
    TaskRange tasks = asked.tasks();
    boolean array = asked.array();
    variables.put("SGE_TASK_ID", array ? Integer.toString(task) : UNDEFINED);
    variables.put("SGE_TASK_FIRST", array ? Integer.toString(tasks.from()) : UNDEFINED);
    variables.put("SGE_TASK_LAST", array ? Integer.toString(tasks.to()) : UNDEFINED);
    variables.put("SGE_TASK_STEPSIZE", array ? Integer.toString(tasks.step()) : UNDEFINED);
    List<Attribute> list = new ArrayList<>(variables.size());
    variables.forEach((name, value) -> list.add(new Attribute(name, value)));
    return list;
  }
}
