package io.millrace.connectors.bridge.run;

import io.millrace.connectors.bridge.system.OutsideAmounts;
import io.millrace.connectors.bridge.system.OutsideSubmission;
import io.millrace.connectors.bridge.system.OutsideSystem;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.bridge.system.OutsideTask;
import io.millrace.schemas.oar.OarAsked;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Puts runs together that can go as one array: subjobs of one array of ours, for the same account
 * and place, and alike in what they ask for. Each array has a mark that no other has ever had, also
 * where some of its runs are submitted again, so that what is told of a task is told of one run.
 *
 * <p>Where the jobs of one submission have the marks of their runs no array needs one, and tasks of
 * a campaign go together too.
 */
final class OutsideArrays {

  /** What the runs of an array bring along is one text, which outside systems bound. */
  private static final int TEXTS_MOST_BYTES = 512 * 1024;

  /** What a tag can have as its last number. */
  private static final long NUMBERS = 1_000_000_000;

  /** A campaign's task is run with variables of its own; this one says how its job stands. */
  private static final String TYPE = "CIGRI_TYPE";

  /**
   * @param of subjobs of which array, or tasks of which campaign
   */
  private record TogetherKind(
      String of,
      String account,
      OutsideSubmission.OutsidePlace place,
      OutsideAmounts amounts,
      String type) {

    static TogetherKind of(OutsideSubmission order) {
      OutsideTag tag = order.tag();
      String of =
          tag.attempt().isEmpty()
              ? tag.job().substring(0, tag.job().indexOf('-'))
              : "c" + tag.attempt().substring(0, tag.attempt().indexOf('.'));
      return new TogetherKind(
          of, order.account(), order.place(), order.amounts(), words(order.work().environment()));
    }
  }

  /** What of a run's variables an order says in words of its own. */
  private static String words(Map<String, String> variables) {
    StringBuilder all = new StringBuilder();
    for (String name : List.of(TYPE, OarAsked.RESOURCES, OarAsked.PROPERTIES)) {
      all.append(variables.getOrDefault(name, "")).append('\n');
    }
    return all.toString();
  }

  private record ArrayKind(
      OutsideTag parent,
      String account,
      String name,
      OutsideSubmission.OutsidePlace place,
      OutsideAmounts amounts) {

    static ArrayKind of(OutsideSubmission order) {
      String job = order.tag().job();
      return new ArrayKind(
          new OutsideTag(
                  order.tag().cluster(), job.substring(0, job.indexOf('-')), order.tag().run())
              .of(order.tag().home()),
          order.account(),
          order.name(),
          order.place(),
          order.amounts());
    }
  }

  /** Marks count hundredths of a second, of which more pass than arrays can be submitted. */
  private static final long UNIT_MS = 10;

  private final OutsideSystem system;
  private final RunJournal journal;

  /** Runs of arrays that were refused; they go alone. */
  private final Set<OutsideTag> alone = new HashSet<>();

  private long last;

  OutsideArrays(OutsideSystem system, RunJournal journal) {
    this.system = system;
    this.journal = journal;
  }

  /** Has each of these runs go alone. */
  void split(List<OutsideRun> runs) {
    runs.forEach(it -> alone.add(it.tag()));
  }

  /**
   * The runs as they are to be submitted, in the order of the first of each array.
   *
   * @param most submissions; the other runs are left out
   */
  List<List<OutsideRun>> of(List<OutsideRun> due, Instant now, int most) {
    alone.removeIf(it -> journal.run(it).isEmpty());
    Map<Object, List<OutsideRun>> kinds = new LinkedHashMap<>();
    for (OutsideRun run : due) {
      Object kind = alone.contains(run.tag()) ? run.tag() : kind(run);
      kinds.computeIfAbsent(kind, it -> new ArrayList<>()).add(run);
    }
    List<List<OutsideRun>> all = new ArrayList<>();
    for (List<OutsideRun> runs : kinds.values()) {
      for (int from = 0; from < runs.size() && all.size() < most; ) {
        int to = end(runs, from);
        all.add(about(runs.subList(from, to), now));
        from = to;
      }
    }
    all.forEach(runs -> runs.forEach(it -> alone.remove(it.tag())));
    return all;
  }

  /** What runs have in common that go together; the mark of one that goes alone. */
  private Object kind(OutsideRun run) {
    boolean subjob = run.tag().job().indexOf('-') >= 0;
    if (!subjob && run.tag().attempt().isEmpty()) {
      return run.tag();
    }
    if (system.togetherMost() > 1) {
      return TogetherKind.of(run.order());
    }
    return subjob && system.tasksMost() > 1 ? ArrayKind.of(run.order()) : run.tag();
  }

  /** Behind the last run that fits into an array with the one at a place. */
  private int end(List<OutsideRun> runs, int from) {
    int to = from + 1;
    if (to == runs.size()) {
      return to;
    }
    long bytes = bytes(runs.get(from));
    int most = Math.max(system.tasksMost(), system.togetherMost());
    while (to < runs.size() && to - from < most) {
      bytes += bytes(runs.get(to));
      if (bytes > TEXTS_MOST_BYTES) {
        break;
      }
      to++;
    }
    return to;
  }

  /** Of all that is of the run alone: its script, arguments and variables. */
  private static long bytes(OutsideRun run) {
    OutsideSubmission.SubmittedScript work = run.order().work();
    long bytes = work.script().length;
    for (String argument : work.arguments()) {
      bytes += argument.length();
    }
    for (Map.Entry<String, String> variable : work.environment().entrySet()) {
      bytes += variable.getKey().length() + variable.getValue().length();
    }
    return bytes;
  }

  private List<OutsideRun> about(List<OutsideRun> runs, Instant now) {
    if (runs.size() == 1 || system.togetherMost() > 1) {
      return runs.stream().map(it -> it.aboutToSubmit(now)).toList();
    }
    OutsideTag mark = freshMark(runs.get(0).tag(), now);
    List<OutsideRun> tasks = new ArrayList<>();
    for (int i = 0; i < runs.size(); i++) {
      tasks.add(runs.get(i).aboutToSubmit(now, Optional.of(new OutsideTask(mark, i + 1))));
    }
    return tasks;
  }

  /** One of the clock; where that was put back, or runs behind the arrays, one behind the last. */
  private OutsideTag freshMark(OutsideTag first, Instant now) {
    String parent = first.job().substring(0, first.job().indexOf('-'));
    last = Math.max(last + 1, now.toEpochMilli() / UNIT_MS);
    OutsideTag mark = mark(first, parent);
    while (isKnown(mark)) {
      last++;
      mark = mark(first, parent);
    }
    return mark;
  }

  private OutsideTag mark(OutsideTag first, String parent) {
    return new OutsideTag(first.cluster(), parent, (int) (last % NUMBERS)).of(first.home());
  }

  private boolean isKnown(OutsideTag mark) {
    return IntStream.rangeClosed(1, system.tasksMost())
        .anyMatch(it -> journal.run(new OutsideTask(mark, it)).isPresent());
  }
}
