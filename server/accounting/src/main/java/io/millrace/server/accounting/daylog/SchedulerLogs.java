package io.millrace.server.accounting.daylog;

import io.millrace.schemas.common.FactMeta;
import io.millrace.schemas.fact.CycleRecorded;
import io.millrace.schemas.fact.EngineStarted;
import io.millrace.schemas.fact.RunGranted;
import io.millrace.server.accounting.daylog.LogLine.Event;
import io.millrace.server.accounting.daylog.LogLine.Kind;
import io.millrace.server.accounting.ledger.FactHandlers;
import io.millrace.server.accounting.ledger.FactReader;
import java.time.ZoneId;
import org.apache.avro.specific.SpecificRecord;

/** The day logs of the schedulers: what the ledger tells of them. */
public final class SchedulerLogs implements FactReader {

  private static final String DAEMON = "pbs_sched";

  private final FactHandlers handlers = new FactHandlers();
  private final LogFolders folders;
  private final LogMasks masks;
  private final LogLine line;

  public SchedulerLogs(LogFolders folders, LogMasks masks, ZoneId zone) {
    this.folders = folders;
    this.masks = masks;
    this.line = new LogLine(zone);
    handlers.on(
        EngineStarted.class,
        (shard, meta, fact) ->
            log(fact.getScheduler(), meta, Event.ADMIN, Kind.SCHEDULER, DAEMON, start(fact)));
    handlers.on(
        RunGranted.class,
        (shard, meta, fact) -> {
          String id = fact.getJobId();
          if (!fact.getScheduler().isEmpty()) {
            log(fact.getScheduler(), meta, Event.DEBUG, Kind.JOB, id, "Considering job to run");
            log(fact.getScheduler(), meta, Event.SCHED, Kind.JOB, id, "Job run");
          }
        });
    handlers.on(
        CycleRecorded.class,
        (shard, meta, fact) ->
            log(
                fact.getScheduler(),
                meta,
                Event.DEBUG,
                Kind.REQUEST,
                "",
                "Leaving Scheduling Cycle"));
  }

  private static String start(EngineStarted fact) {
    String how = fact.getShadow() ? ", decides and is not obeyed" : "";
    return "Connected to the server, start " + fact.getEpoch() + how;
  }

  private void log(
      String scheduler, FactMeta meta, Event event, Kind kind, String name, String text) {
    if (event.in(masks.scheduler(scheduler))) {
      folders
          .scheduler(scheduler)
          .add(meta.getAtMs(), line.of(meta.getAtMs(), event, DAEMON, kind, name, text));
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
