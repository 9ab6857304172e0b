package io.millrace.ops.gridengine;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.schedulers.dialects.gridengine.cluster.QueueInstance.State;
import io.millrace.schedulers.dialects.gridengine.options.Refused;
import io.millrace.schedulers.dialects.gridengine.replay.CaseAction;
import io.millrace.schedulers.dialects.gridengine.replay.CaseJob;
import io.millrace.schedulers.dialects.gridengine.request.Words;
import java.util.ArrayList;
import java.util.List;

/** The actions of jobs.json: {@code {"t": 5, "cmd": "qdel A"}} or {@code [5, "qdel A"]}. */
final class CaseActions {

  private static final List<String> KEYS = List.of("cmd", "command", "do", "action", "run");

  private final String file;
  private final List<String> jobs;

  CaseActions(String file, List<CaseJob> jobs) {
    this.file = file;
    this.jobs = jobs.stream().map(job -> job.job().identity().name()).toList();
  }

  List<CaseAction> actions(JsonNode nodes) {
    List<CaseAction> actions = new ArrayList<>();
    for (JsonNode node : nodes) {
      actions.add(action(node));
    }
    return actions;
  }

  private CaseAction action(JsonNode node) {
    if (node.isArray() && node.size() == 2) {
      return command((long) Math.ceil(node.get(0).asDouble()), Words.of(node.get(1).asText()));
    }
    long at = (long) Math.ceil(node.path("t").asDouble());
    for (String key : KEYS) {
      if (node.has(key)) {
        List<String> words = new ArrayList<>();
        if (node.get(key).isArray()) {
          node.get(key).forEach(word -> words.add(word.asText()));
        } else {
          words.addAll(Words.of(node.get(key).asText()));
        }
        if (node.has("job")) {
          words.add(node.get("job").asText());
        }
        return command(at, words);
      }
    }
    throw new Refused(file, 0, "an action has no command: " + node);
  }

  private CaseAction command(long at, List<String> words) {
    String command = String.join(" ", words);
    String last = words.isEmpty() ? "" : words.get(words.size() - 1);
    if (command.matches("qmod -[de] \\S+")) {
      return new CaseAction.Switch(at, last, State.DISABLED, words.get(1).equals("-d"));
    }
    if (command.matches("qmod -(us|s)q \\S+")) {
      return new CaseAction.Switch(at, last, State.SUSPENDED, words.get(1).equals("-sq"));
    }
    if (!jobs.contains(last)) {
      throw new Refused(file, 0, "the action '" + command + "' names no job of this session");
    }
    if (command.matches("qdel \\S+")) {
      return new CaseAction.Delete(at, last);
    }
    if (command.matches("(qhold|qrls) \\S+")) {
      return new CaseAction.Hold(at, last, words.get(0).equals("qhold"));
    }
    if (command.matches("qmod -(us|s)j \\S+")) {
      return new CaseAction.Suspend(at, last, words.get(1).equals("-sj"));
    }
    if (command.matches("qalter -p -?\\d{1,4} \\S+")) {
      return new CaseAction.Prioritise(at, last, Integer.parseInt(words.get(2)));
    }
    if (command.matches("qalter -R [yn] \\S+")) {
      return new CaseAction.Reserve(at, last, words.get(2).equals("y"));
    }
    throw new Refused(
        file,
        0,
        "the action '"
            + command
            + "' is not known: it must be qdel, qhold, qrls, qalter -p, qalter -R, qmod -d/-e,"
            + " qmod -sj/-usj or qmod -sq/-usq");
  }
}
