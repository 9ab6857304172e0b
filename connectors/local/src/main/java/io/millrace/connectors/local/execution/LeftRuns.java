package io.millrace.connectors.local.execution;

import io.millrace.connectors.local.execution.LiveRun.RunStage;
import io.millrace.connectors.local.host.BootMark;
import io.millrace.connectors.local.host.ProcessorSet;
import io.millrace.connectors.local.run.LocalSettings;
import io.millrace.connectors.local.run.RunId;
import io.millrace.connectors.local.spool.Spool;
import io.millrace.connectors.local.spool.SpoolFields;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The runs in the spool that an earlier executor left. */
final class LeftRuns {
  private static final Logger log = LoggerFactory.getLogger(LeftRuns.class);

  private LeftRuns() {}

  /**
   * Reads them. A run whose supervisor lives, or that has ended, is RUNNING: its outcome is looked
   * up next. All others are WAITING: they never started or their supervisor died, and launching
   * them is safe in any case.
   */
  static List<LiveRun> read(Spool spool, LocalSettings settings) throws IOException {
    List<LiveRun> found = new ArrayList<>();
    boolean doubtful = BootMark.doubtful(settings.spool(), settings.durable());
    for (RunId id : spool.runs()) {
      if (doubtful && !spool.has(id, LiveRun.STARTED)) {
        // A power cut may have lost the run's claim, so it is not started. The shard asks after it
        // and grants another run.
        log.warn("{} may have begun before the host went down: it is given up", id);
        spool.remove(id);
        continue;
      }
      Optional<SpoolFields> request = spool.request(id);
      LiveRun run = new LiveRun(id, request.map(fields -> fields.text("origin")).orElse(""));
      run.processors = request.map(LeftRuns::processors).orElse(ProcessorSet.NONE);
      Optional<SpoolFields> started = spool.fields(id, LiveRun.STARTED);
      started.ifPresent(run::supervisedBy);
      if (started.isPresent() && (spool.has(id, LiveRun.OUTCOME) || run.hasSupervisor())) {
        run.stage = RunStage.RUNNING;
      }
      found.add(run);
    }
    return found;
  }

  private static ProcessorSet processors(SpoolFields request) {
    try {
      return ProcessorSet.of(request.text("cpus"));
    } catch (IllegalArgumentException e) {
      return ProcessorSet.NONE; // its supervisor says that the request is damaged
    }
  }
}
