package io.millrace.ops.gridengine;

import io.millrace.schedulers.dialects.gridengine.replay.CaseAction;
import io.millrace.schedulers.dialects.gridengine.replay.CaseJob;
import io.millrace.schedulers.gridengine.language.cluster.Cluster;
import io.millrace.schedulers.gridengine.language.cluster.QueueInstance.State;
import io.millrace.schedulers.gridengine.language.request.OptionLineWords;
import io.millrace.schedulers.gridengine.language.request.QueueRequest;
import io.millrace.schemas.pbs.attributes.Nearest;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The actions of jobs.json: {@code {"t": 5, "cmd": "qdel A"}} or {@code [5, "qdel A"]}. */
final class CaseActions {

  private static final List<String> COMMAND = List.of("cmd", "command", "do", "action", "run");
  private static final Set<String> KEYS =
      Set.of("t", "job", "cmd", "command", "do", "action", "run");

  private final Cluster cluster;
  private final List<String> jobs;
  private final List<String> warnings = new ArrayList<>();

  CaseActions(Cluster cluster, List<CaseJob> jobs) {
    this.cluster = cluster;
    this.jobs = jobs.stream().map(job -> job.job().identity().name()).toList();
  }

  /** Unknown parts of the actions, which are ignored. */
  List<String> warnings() {
    return List.copyOf(warnings);
  }

  List<CaseAction> actions(CaseValue list) {
    return list.items("action").stream().map(this::action).toList();
  }

  private CaseAction action(CaseValue action) {
    if (action.isList()) {
      List<CaseValue> pair = action.items("part");
      if (pair.size() != 2) {
        throw action.refused("this must be [SECONDS, \"COMMAND\"]");
      }
      return command(action, pair.get(0).seconds(), OptionLineWords.of(pair.get(1).text()));
    }
    warnings.addAll(action.others(KEYS));
    long at = action.need("t", "a number of seconds").seconds();
    CaseValue given =
        COMMAND.stream()
            .flatMap(key -> action.find(key).stream())
            .findFirst()
            .orElseThrow(() -> action.refused("'cmd' is missing: a command as qdel JOB"));
    List<String> words = new ArrayList<>();
    if (given.isList()) {
      given.items("word").forEach(word -> words.add(word.word()));
    } else {
      words.addAll(OptionLineWords.of(given.text()));
    }
    action.find("job").ifPresent(job -> words.add(job.text()));
    return command(action, at, words);
  }

  private CaseAction command(CaseValue action, long at, List<String> words) {
    String command = String.join(" ", words);
    String last = words.isEmpty() ? "" : words.get(words.size() - 1);
    if (command.matches("qmod -[de] \\S+")) {
      return queues(action, command, at, State.DISABLED, words.get(1).equals("-d"));
    }
    if (command.matches("qmod -(us|s)q \\S+")) {
      return queues(action, command, at, State.SUSPENDED, words.get(1).equals("-sq"));
    }
    if (!jobs.contains(last)) {
      throw action.refused(
          "'" + command + "' names no job of this session" + Nearest.hint(last, jobs));
    }
    if (command.matches("qdel \\S+")) {
      return new CaseAction.Delete(at, last);
    }
    if (command.matches("(qhold|qrls) \\S+")) {
      return new CaseAction.SetHold(at, last, words.get(0).equals("qhold"));
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
    throw action.refused(
        "'"
            + command
            + "' is not known: it must be qdel, qhold, qrls, qalter -p, qalter -R, qmod -d/-e,"
            + " qmod -sj/-usj or qmod -sq/-usq");
  }

  private CaseAction queues(CaseValue action, String command, long at, State state, boolean set) {
    String list = command.substring(command.lastIndexOf(' ') + 1);
    for (QueueRequest named : QueueRequest.list(list)) {
      CaseAction.Switch change = new CaseAction.Switch(at, List.of(named), state, set);
      if (change.meant(cluster).isEmpty()) {
        throw action.refused(
            "'"
                + command
                + "' names no queue instance: there is no "
                + named.text()
                + "; it must be QUEUE, QUEUE@HOST, QUEUE@@GROUP or a pattern");
      }
    }
    return new CaseAction.Switch(at, QueueRequest.list(list), state, set);
  }
}
