package io.millrace.server.accounting.daylog;

import io.millrace.schemas.Topics;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.FactMeta;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.fact.EngineStarted;
import io.millrace.schemas.fact.InputsRead;
import io.millrace.schemas.fact.ObjectDeleted;
import io.millrace.schemas.fact.ObjectWritten;
import io.millrace.schemas.fact.RunGranted;
import io.millrace.schemas.pbs.attributes.AttributeTable;
import io.millrace.schemas.pbs.attributes.SchedulerFolders;
import io.millrace.schemas.pbs.schedconfig.InputSource;
import io.millrace.schemas.state.PolicyInput;
import io.millrace.server.accounting.daylog.LogLine.Event;
import io.millrace.server.accounting.daylog.LogLine.LogObjectKind;
import io.millrace.server.accounting.ledger.FactHandlers;
import io.millrace.server.accounting.ledger.FactReader;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.apache.avro.specific.SpecificRecord;

/** The day logs of the schedulers: what the ledger tells of them. */
public final class SchedulerLogs implements FactReader {

  private static final String DAEMON = "pbs_sched";

  private final FactHandlers handlers = new FactHandlers();
  private final LogFolders folders;
  private final LogMasks masks;
  private final LogLine line;

  /** Inputs of schedulers that cannot be read, by name, with the reason. */
  private final Map<String, Map<String, String>> unread = new HashMap<>();

  /** Why the files of the folder that a scheduler object follows are not loaded as they are. */
  private final Map<String, String> problems = new HashMap<>();

  public SchedulerLogs(LogFolders folders, LogMasks masks, ZoneId zone) {
    this.folders = folders;
    this.masks = masks;
    this.line = new LogLine(zone);
    handlers.on(
        EngineStarted.class,
        (shard, meta, fact) ->
            log(
                fact.getScheduler(),
                meta,
                Event.ADMIN,
                LogObjectKind.SCHEDULER,
                DAEMON,
                start(fact)));
    handlers.on(
        RunGranted.class,
        (shard, meta, fact) -> {
          String id = fact.getJobId();
          if (!fact.getScheduler().isEmpty()) {
            log(fact.getScheduler(), meta, Event.SCHED, LogObjectKind.JOB, id, "Job run");
          }
        });
    handlers.on(InputsRead.class, this::inputs);
    handlers.on(ObjectWritten.class, this::written);
    handlers.on(ObjectDeleted.class, this::deleted);
  }

  /** Says which inputs cannot be read, once for each reason, and which can be read again. */
  private void inputs(int shard, FactMeta meta, InputsRead fact) {
    String scheduler = fact.getScheduler();
    Map<String, String> before = unread.getOrDefault(scheduler, Map.of());
    Map<String, String> now = new TreeMap<>();
    for (PolicyInput input : fact.getInputs()) {
      String name = input.getName();
      String problem = input.getProblem();
      if (!problem.isEmpty()) {
        now.put(name, problem);
      }
      if (!problem.equals(before.getOrDefault(name, ""))) {
        String known = input.getContent();
        String content = known.isEmpty() ? "nothing" : InputSource.brief(known);
        String text =
            problem.isEmpty()
                ? name + " = " + content + " is read again"
                : name + " = " + content + " is kept: " + problem;
        int colon = name.indexOf(':'); // no resource has one in its name
        String from = colon < 0 ? "server_dyn_res" : name.substring(0, colon);
        log(scheduler, meta, Event.ERROR, LogObjectKind.SERVER, from, text);
      }
    }
    unread.put(scheduler, now);
  }

  /** Says once why the files of the folder that is followed are not loaded as they are. */
  private void filesKept(FactMeta meta, ClusterObject scheduler) {
    String problem =
        scheduler.getAttributes().stream()
            .filter(it -> it.getName().equals(AttributeTable.POLICY_PROBLEM))
            .map(Attribute::getValue)
            .findFirst()
            .orElse("");
    String before = problems.getOrDefault(scheduler.getName(), "");
    problems.put(scheduler.getName(), problem);
    if (!problem.equals(before)) {
      String text =
          problem.isEmpty() ? "the files count again" : "the files before are kept: " + problem;
      log(
          scheduler.getName(),
          meta,
          Event.ERROR,
          LogObjectKind.SERVER,
          AttributeTable.POLICY_FOLDER,
          text);
    }
  }

  /** All shards tell of the cluster's objects; the administrative one is heard. */
  private void written(int shard, FactMeta meta, ObjectWritten fact) {
    ClusterObject object = fact.getObject();
    if (shard != Topics.ADMINISTRATIVE_SHARD) {
      return;
    }
    if (object.getKind() == ObjectKind.RESOURCE) {
      masks.schedulers().forEach(name -> reconfigured(meta, name));
    } else if (object.getKind() == ObjectKind.SCHEDULER) {
      folders.heed(object);
      folders.takeMoves(object.getName()).forEach(it -> moved(meta, object.getName(), it));
      reconfigured(meta, object.getName());
      filesKept(meta, object);
      if (idles(object)) {
        inVain(meta, object.getName());
      }
    }
  }

  private void deleted(int shard, FactMeta meta, ObjectDeleted fact) {
    if (shard != Topics.ADMINISTRATIVE_SHARD) {
      return;
    }
    if (fact.getKind() == ObjectKind.RESOURCE) {
      masks.schedulers().forEach(name -> reconfigured(meta, name));
    } else if (fact.getKind() == ObjectKind.SCHEDULER) {
      masks.forget(fact.getName());
      unread.remove(fact.getName());
      folders.forget(fact.getName());
    }
  }

  private void moved(FactMeta meta, String name, LogFolders.LogFolderMove move) {
    boolean log = move.attribute().equals(SchedulerFolders.LOG);
    if (move.refused().isPresent()) {
      String why = "PBS failed validation checks for directory " + move.path();
      String text = why + ": it " + move.refused().get();
      log(name, meta, Event.ERROR, LogObjectKind.SCHEDULER, "parse_sched_obj", text);
    } else {
      String what = log ? "log" : "priv";
      String text = "Scheduler " + what + " directory is changed to " + move.path();
      log(name, meta, Event.ADMIN, LogObjectKind.SCHEDULER, "reconfigure", text);
      // OpenPBS's own words, whose bit is off by default there, too.
      String words = log ? "log directory is changed to " : "priv directory has changed to ";
      String same = "scheduler " + words + move.path();
      log(name, meta, Event.DEBUG3, LogObjectKind.SCHEDULER, "reconfigure", same);
    }
  }

  private void reconfigured(FactMeta meta, String name) {
    String text = "Scheduler is reconfiguring";
    log(name, meta, Event.SCHED, LogObjectKind.SCHEDULER, "reconfigure", text);
    log(name, meta, Event.DEBUG, LogObjectKind.REQUEST, "", "Updating scheduler attributes");
  }

  /** Whether it is to schedule, and has no partition. */
  private static boolean idles(ClusterObject scheduler) {
    Map<String, String> values = new HashMap<>();
    scheduler.getAttributes().forEach(it -> values.put(it.getName(), it.getValue()));
    return !scheduler.getName().equals("default")
        && values.getOrDefault("scheduling", "").equals("True")
        && values.getOrDefault("partition", "").isEmpty();
  }

  private void inVain(FactMeta meta, String name) {
    log(name, meta, Event.DEBUG, LogObjectKind.REQUEST, "", "Starting Scheduling Cycle");
    String why = "Scheduler does not contain a partition";
    log(name, meta, Event.SCHED, LogObjectKind.SERVER, "query_server", why);
    String ends = "Problem with creating server data structure";
    log(name, meta, Event.SYSTEM, LogObjectKind.SERVER, "", ends);
    log(name, meta, Event.DEBUG, LogObjectKind.REQUEST, "", "Leaving Scheduling Cycle");
  }

  private static String start(EngineStarted fact) {
    String how = fact.getShadow() ? ", decides and is not obeyed" : "";
    return "Connected to the server, start " + fact.getEpoch() + how;
  }

  private void log(
      String scheduler, FactMeta meta, Event event, LogObjectKind kind, String name, String text) {
    if (event.in(masks.scheduler(scheduler))) {
      folders
          .scheduler(scheduler)
          .add(
              meta.getAtMs(),
              line.fine(meta.getAtMs() * 1_000, event.bit(), kind.word(), name, text));
    }
  }

  @Override
  public boolean tells(String fact) {
    return handlers.tells(fact);
  }

  @Override
  public void follow(int shard, SpecificRecord fact) {
    handlers.follow(shard, fact);
  }
}
