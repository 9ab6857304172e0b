package io.millrace.ops.gridengine;

import io.millrace.schedulers.dialects.gridengine.replay.CaseAction;
import io.millrace.schedulers.dialects.gridengine.replay.CaseJob;
import io.millrace.schedulers.gridengine.language.cluster.Cluster;
import io.millrace.schedulers.gridengine.language.cluster.QueueInstance.QueueInstanceState;
import io.millrace.schedulers.gridengine.language.options.ConfigurationRefused;
import io.millrace.schedulers.gridengine.language.request.GridEngineJob;
import io.millrace.schedulers.gridengine.language.request.Needs;
import io.millrace.schedulers.gridengine.language.request.OptionLineWords;
import io.millrace.schedulers.gridengine.language.request.QueueRequest;
import io.millrace.schedulers.gridengine.language.request.RequestRefused;
import io.millrace.schedulers.gridengine.language.request.Submission;
import io.millrace.schedulers.gridengine.language.request.TaskRange;
import io.millrace.schemas.pbs.attributes.Nearest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The actions of jobs.json: {@code {"t": 5, "cmd": "qdel A"}} or {@code [5, "qdel A"]}. */
final class CaseActions {

  private static final List<String> COMMAND = List.of("cmd", "command", "do", "action", "run");

  /** Options of qalter that replace lists of requests, beside -l and -q. */
  private static final Set<String> LISTS = Set.of("-pe", "-hard", "-soft");

  private static final Set<String> KEYS =
      Set.of("t", "job", "cmd", "command", "do", "action", "run");

  private final Cluster cluster;
  private final Map<String, TaskRange> jobs;
  private final List<String> warnings = new ArrayList<>();

  CaseActions(Cluster cluster, List<CaseJob> jobs) {
    this.cluster = cluster;
    this.jobs =
        jobs.stream()
            .map(CaseJob::job)
            .collect(Collectors.toMap(job -> job.identity().name(), GridEngineJob::tasks));
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
      return queues(action, command, at, QueueInstanceState.DISABLED, words.get(1).equals("-d"));
    }
    if (command.matches("qmod -(us|s)q \\S+")) {
      return queues(action, command, at, QueueInstanceState.SUSPENDED, words.get(1).equals("-sq"));
    }
    if (command.matches("(qdel|qhold|qrls) \\S+( -t \\S+)?|qmod -(us|s)j \\S+( -t \\S+)?")) {
      return tasks(action, command, at);
    }
    if (!jobs.containsKey(last)) {
      throw noJob(action, command, last);
    }
    if (command.matches("qalter -p -?\\d{1,4} \\S+")) {
      return new CaseAction.Prioritise(at, last, Integer.parseInt(words.get(2)));
    }
    if (command.matches("qalter -R [yn] \\S+")) {
      return new CaseAction.Reserve(at, last, words.get(2).equals("y"));
    }
    if (words.size() > 2 && words.get(0).equals("qalter")) {
      Optional<CaseAction> change = lists(action, command, at, words);
      if (change.isPresent()) {
        return change.get();
      }
    }
    throw action.refused(
        "'"
            + command
            + "' is not known: it must be qdel, qhold, qrls, qalter -p, qalter -R, qalter with -l,"
            + " -pe and -q, qmod -d/-e, qmod -sj/-usj or qmod -sq/-usq");
  }

  private ConfigurationRefused noJob(CaseValue action, String command, String name) {
    return action.refused(
        "'" + command + "' names no job of this session" + Nearest.hint(name, jobs.keySet()));
  }

  /** A command about a job or some of its tasks: JOB, JOB.TASKS or JOB -t TASKS. */
  private CaseAction tasks(CaseValue action, String command, long at) {
    List<String> words = List.of(command.split(" "));
    int option = words.indexOf("-t");
    String named = words.get((option < 0 ? words.size() : option) - 1);
    int dot = option < 0 && !jobs.containsKey(named) ? named.lastIndexOf('.') : -1;
    String job = dot < 0 ? named : named.substring(0, dot);
    TaskRange all = jobs.get(job);
    if (all == null) {
      throw noJob(action, command, named);
    }
    TaskRange meant = all;
    if (option >= 0 || dot >= 0) {
      String range = option < 0 ? named.substring(dot + 1) : words.get(option + 1);
      meant = range(action, command, range);
      if (!all.numbers().containsAll(meant.numbers())) {
        throw action.refused("'" + command + "' names a task that job " + job + " has not: " + all);
      }
    }
    return switch (words.get(0)) {
      case "qdel" -> new CaseAction.CaseDeletion(at, job, meant);
      case "qmod" -> new CaseAction.Suspend(at, job, meant, words.get(1).equals("-sj"));
      default -> new CaseAction.SetHold(at, job, meant, words.get(0).equals("qhold"));
    };
  }

  private static TaskRange range(CaseValue action, String command, String range) {
    try {
      return TaskRange.of(range);
    } catch (RequestRefused e) {
      throw action.refused("'" + command + "': the tasks must be n[-m[:s]]");
    }
  }

  /** qalter with lists of requests, if it has no other option. */
  private Optional<CaseAction> lists(
      CaseValue action, String command, long at, List<String> words) {
    int last = words.size() - 1;
    try {
      Submission change = Submission.of(words.subList(1, last));
      if (!change.command().isEmpty() || change.otherThan(LISTS).isPresent()) {
        return Optional.empty();
      }
      Needs needs = change.needs(cluster.complexes());
      return Optional.of(new CaseAction.Alter(at, words.get(last), needs));
    } catch (RequestRefused e) {
      throw action.refused("'" + command + "': " + e.getMessage());
    }
  }

  private CaseAction queues(
      CaseValue action, String command, long at, QueueInstanceState state, boolean set) {
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
