package io.millrace.server.streams.input;

import io.millrace.schemas.command.InputReading;
import io.millrace.schemas.command.NoteInputs;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.folder.NamedText;
import io.millrace.schemas.pbs.attributes.AttributeTable;
import io.millrace.schemas.pbs.schedconfig.InputSource;
import io.millrace.schemas.state.PolicyInput;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.input.PolicyInputs;
import io.millrace.server.core.placement.PartitionTable;
import io.millrace.server.core.state.View;
import io.millrace.server.streams.worker.IdleWorker;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.avro.specific.SpecificRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the programs, and reads the files, of the scheduler objects of a shard, round after round,
 * one after the other on one thread, and tells the shard what is new. Used by the shard's thread.
 */
public final class InputWatch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(InputWatch.class);

  /** Time between two looks at what there is to do, and between two rounds. */
  static final long LOOK_MS = 1_000;

  static final long ROUND_MS = 10_000;

  /** Most rounds that wait for the thread. */
  private static final int WAITING_MAX = 100;

  private static final long IDLE_S = 20;
  private static final int ALARM_S = 30;
  private static final int ALARM_MAX_S = 600;

  /**
   * The last round of a scheduler object.
   *
   * @param sources that there were
   * @param endMs when its end was seen; {@link Long#MAX_VALUE} while it goes on
   */
  private record InputRound(List<InputSource> sources, long endMs) {}

  private final InputPrograms programs;
  private final ExecutorService worker;
  private final Map<String, InputRound> rounds = new HashMap<>();

  /** When each source of a scheduler object was read last. */
  private final Map<String, Map<InputSource, Long>> lastMs = new HashMap<>();

  /** What ended rounds have read, until the shard's thread takes it. */
  private final Map<String, List<InputReading>> read = new ConcurrentHashMap<>();

  private long lookedMs;

  public InputWatch(InputPrograms programs) {
    this(programs, IdleWorker.named("policy-inputs", WAITING_MAX, IDLE_S));
  }

  InputWatch(InputPrograms programs, ExecutorService worker) {
    this.programs = programs;
    this.worker = worker;
  }

  /** Commands for the shard; begins rounds that are due. */
  public List<SpecificRecord> due(View view, long nowMs, Supplier<CommandMeta> meta) {
    lookedMs = Math.min(lookedMs, nowMs); // the clock may have been set back
    if (nowMs - lookedMs < LOOK_MS) {
      return List.of();
    }
    lookedMs = nowMs;
    List<SpecificRecord> commands = new ArrayList<>();
    for (String scheduler : schedulers(view)) {
      List<InputSource> now = PolicyInputs.sources(view, scheduler);
      List<InputReading> readings = take(scheduler, nowMs);
      Set<String> named = now.stream().map(InputSource::name).collect(Collectors.toSet());
      List<PolicyInput> known = PolicyInputs.of(view, scheduler);
      boolean stale = known.stream().anyMatch(it -> !named.contains(it.getName()));
      if ((readings != null || stale) && isNews(view, scheduler, readings, nowMs)) {
        List<InputReading> told = readings == null ? List.of() : readings;
        commands.add(new NoteInputs(meta.get(), scheduler, told));
      }
      forgetFailed(scheduler, known);
      if (!now.isEmpty() && isDue(scheduler, now, nowMs)) {
        begin(scheduler, now, nowMs, alarmS(PartitionTable.scheduler(view, scheduler)));
      }
    }
    return commands;
  }

  /** What could not be read, or made no sense, is asked for again in the next round. */
  private void forgetFailed(String scheduler, List<PolicyInput> known) {
    Set<String> failed =
        known.stream()
            .filter(it -> !it.getProblem().isEmpty())
            .map(PolicyInput::getName)
            .collect(Collectors.toSet());
    Map<InputSource, Long> last = lastMs.get(scheduler);
    if (last != null) {
      last.keySet().removeIf(it -> failed.contains(it.name()));
    }
  }

  /** The scheduler objects of the shard. */
  private static TreeSet<String> schedulers(View view) {
    TreeSet<String> names = new TreeSet<>();
    String prefix = ObjectKind.SCHEDULER.name() + "/";
    String shard = Integer.toString(view.shard());
    view.objects()
        .scan(
            prefix,
            prefix + Character.MAX_VALUE,
            (key, object) -> {
              if (Context.attribute(object, "shard", "").equals(shard)) {
                names.add(object.getName());
              }
              return true;
            });
    return names;
  }

  /** What the round of a scheduler object has read that has just ended; null for none. */
  private List<InputReading> take(String scheduler, long nowMs) {
    List<InputReading> readings = read.remove(scheduler);
    if (readings != null) {
      rounds.computeIfPresent(scheduler, (name, round) -> new InputRound(round.sources(), nowMs));
    }
    return readings;
  }

  private static boolean isNews(
      View view, String scheduler, List<InputReading> readings, long nowMs) {
    List<InputReading> told = readings == null ? List.of() : readings;
    return !PolicyInputs.after(view, scheduler, told, nowMs)
        .equals(PolicyInputs.of(view, scheduler));
  }

  /** At once where other programs are named than before, else some time after the last round. */
  private boolean isDue(String scheduler, List<InputSource> now, long nowMs) {
    InputRound last = rounds.get(scheduler);
    if (last == null) {
      return true;
    }
    boolean ended = last.endMs() != Long.MAX_VALUE;
    boolean others = !last.sources().equals(now);
    return ended && (others || nowMs < last.endMs() || nowMs - last.endMs() >= ROUND_MS);
  }

  private void begin(String scheduler, List<InputSource> now, long nowMs, int alarmS) {
    Map<InputSource, Long> last = lastMs.computeIfAbsent(scheduler, it -> new HashMap<>());
    last.keySet().retainAll(now);
    List<InputSource> due = now.stream().filter(it -> isDue(it, last.get(it), nowMs)).toList();
    if (due.isEmpty()) {
      return;
    }
    try {
      worker.execute(() -> ask(scheduler, due, alarmS));
      rounds.put(scheduler, new InputRound(now, Long.MAX_VALUE));
      due.forEach(it -> last.put(it, nowMs));
    } catch (RejectedExecutionException e) {
      LOG.warn("scheduler {}: its programs are asked later, too many wait", scheduler);
    }
  }

  private static boolean isDue(InputSource source, Long lastMs, long nowMs) {
    return lastMs == null || nowMs < lastMs || nowMs - lastMs >= source.eachS() * 1_000;
  }

  private void ask(String scheduler, List<InputSource> due, int alarmS) {
    List<InputReading> readings = new ArrayList<>();
    try {
      for (InputSource source : due) {
        readings.add(ask(source, alarmS));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the shard goes to another process
    } finally {
      read.put(scheduler, readings);
    }
  }

  private InputReading ask(InputSource source, int alarmS) throws InterruptedException {
    try {
      String content = content(source, alarmS);
      return new InputReading(source.name(), content, "");
    } catch (IOException e) {
      String problem = PolicyInputs.cut(String.valueOf(e.getMessage()));
      return new InputReading(source.name(), "", problem);
    }
  }

  private String content(InputSource source, int alarmS) throws IOException, InterruptedException {
    int most = PolicyInputs.most(source.kind());
    return switch (source.kind()) {
      case AMOUNT -> PolicyInputs.cut(programs.said(source.what(), alarmS, false));
      case FILE -> NamedText.read(source.what(), most);
      case TEXT -> {
        String said = programs.said(source.what(), alarmS, true);
        if (said.length() > most) {
          throw new IOException("it said more than " + most + " characters");
        }
        yield said;
      }
    };
  }

  /** After how many seconds a program is stopped. */
  private static int alarmS(ClusterObject scheduler) {
    String alarm =
        Context.attribute(
            scheduler, AttributeTable.SERVER_DYN_RES_ALARM, Integer.toString(ALARM_S));
    boolean within = alarm.matches("[1-9]\\d{0,2}");
    return within ? Math.min(Integer.parseInt(alarm), ALARM_MAX_S) : ALARM_MAX_S;
  }

  @Override
  public void close() {
    worker.shutdownNow();
  }
}
