package io.millrace.server.streams.share;

import io.millrace.schemas.command.NoteUsage;
import io.millrace.schemas.command.RunUsed;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.schedconfig.share.Entities;
import io.millrace.schemas.state.Holding;
import io.millrace.schemas.state.Job;
import io.millrace.server.core.share.Charges;
import io.millrace.server.core.share.SharePolicy;
import io.millrace.server.core.state.Copies;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.state.View;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.function.Supplier;
import org.apache.avro.specific.SpecificRecord;

/**
 * Tells a shard what its runs have used so far, for fair share: at most twice a minute, at most
 * {@link Charges#CHARGES_MAX} runs at a time, as many as one fact of 64 KiB holds, and each run
 * once a minute. Where more run their turn comes later. The end of a run is charged without it.
 */
public final class ShareWatch {
  /** Time between two commands. */
  static final long LOOK_MS = 30_000;

  /** Time between two rounds through all runs. */
  static final long ROUND_MS = 60_000;

  /** Most bytes of the charges that follow, and what one of them takes beside its name. */
  static final int BYTES_MAX = 60 << 10;

  private static final int CHARGE_BYTES = 26;

  private final BiPredicate<Job, Long> usages;
  private long lookedMs;
  private long roundMs;

  /** The last job of the round that was told; -1 before the first. */
  private long last = -1;

  /**
   * @param usages adds to a running job's record what it has used by a time, in milliseconds since
   *     1970; false for one that does not run
   */
  public ShareWatch(BiPredicate<Job, Long> usages) {
    this.usages = usages;
  }

  /** Commands for the shard: one or none. */
  public List<SpecificRecord> due(View view, long nowMs, Supplier<CommandMeta> meta) {
    lookedMs = Math.min(lookedMs, nowMs); // the clock may have been set back
    roundMs = Math.min(roundMs, nowMs);
    boolean begins = last < 0;
    if (nowMs - lookedMs < LOOK_MS || begins && nowMs - roundMs < ROUND_MS) {
      return List.of();
    }
    lookedMs = nowMs;
    List<String> schedulers = schedulers(view);
    if (schedulers.isEmpty()) {
      return List.of();
    }
    roundMs = begins ? nowMs : roundMs;
    return part(view, schedulers, nowMs, meta);
  }

  /** Scheduler objects that add up what entities use. */
  private static List<String> schedulers(View view) {
    List<String> names = new ArrayList<>();
    String prefix = ObjectKind.SCHEDULER.name() + "/";
    view.objects()
        .scan(
            prefix,
            prefix + Character.MAX_VALUE,
            (key, object) -> {
              if (SharePolicy.of(view, object.getName()).isPresent()) {
                names.add(object.getName());
              }
              return true;
            });
    return names;
  }

  /** The next runs of the round; those of the scheduler whose run comes first. */
  private List<SpecificRecord> part(
      View view, List<String> schedulers, long nowMs, Supplier<CommandMeta> meta) {
    Map<String, List<RunUsed>> told = new HashMap<>();
    String first = null;
    Entities entities = null;
    int bytes = 0;
    for (long number : running(view).tailSet(last, false)) {
      Job job = view.jobs().get(Keys.number(number));
      boolean counts = job != null && schedulers.contains(job.getScheduler());
      Job copy = counts ? Copies.of(job) : null;
      if (counts && usages.test(copy, nowMs)) {
        if (first == null) {
          first = job.getScheduler();
          entities = SharePolicy.of(view, first).orElseThrow().entities();
        }
        String entity = entities.apply(job.getSpec());
        bytes += CHARGE_BYTES + entity.getBytes(StandardCharsets.UTF_8).length;
        int before = told.getOrDefault(first, List.of()).size();
        if (!job.getScheduler().equals(first)
            || bytes > BYTES_MAX && before > 0
            || before >= Charges.CHARGES_MAX) {
          return List.of(new NoteUsage(meta.get(), first, told.get(first)));
        }
        told.computeIfAbsent(first, it -> new ArrayList<>())
            .add(new RunUsed(number, job.getRun(), copy.getUsed()));
      }
      last = number;
    }
    last = -1;
    return first == null ? List.of() : List.of(new NoteUsage(meta.get(), first, told.get(first)));
  }

  private static TreeSet<Long> running(View view) {
    TreeSet<Long> numbers = new TreeSet<>();
    view.nodes()
        .each(
            node -> {
              for (Holding holding : node.getHoldings()) {
                numbers.add(holding.getNumber());
              }
            });
    return numbers;
  }
}
