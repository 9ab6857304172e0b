package io.millrace.server.streams.engine;

import io.millrace.schemas.command.NoteFolder;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.fact.ObjectWritten;
import io.millrace.schemas.folder.NamedFolder;
import io.millrace.schemas.pbs.attributes.SchedulerFolders;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.state.View;
import io.millrace.server.streams.worker.IdleWorker;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.apache.avro.specific.SpecificRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at the folders that scheduler objects name, on the host of the administrative shard: when
 * one is set, and when a scheduler object is to schedule again. A folder may be on a disk that does
 * not answer, so that a thread of its own looks at it. Used by the shard's thread.
 */
public final class FolderWatch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(FolderWatch.class);

  /** Most folders that wait to be looked at. */
  private static final int WAITING_MAX = 1_000;

  private static final long IDLE_S = 10;

  /** Says why a folder cannot be used; empty when it can. */
  public interface Check {
    Optional<String> refuse(String attribute, String path);
  }

  private record WatchedFolder(String scheduler, String attribute, String path) {}

  private final Check check;
  private final ExecutorService worker;
  private final Set<WatchedFolder> known = new HashSet<>();
  private final Map<String, Boolean> scheduling = new HashMap<>();
  private final Map<WatchedFolder, String> refused = new ConcurrentHashMap<>();

  public FolderWatch() {
    this(FolderWatch::refuse, IdleWorker.named("scheduler-folders", WAITING_MAX, IDLE_S));
  }

  FolderWatch(Check check, ExecutorService worker) {
    this.check = check;
    this.worker = worker;
  }

  private static Optional<String> refuse(String attribute, String path) {
    return attribute.equals(SchedulerFolders.PRIV)
        ? NamedFolder.refusePriv(path)
        : NamedFolder.refuseLog(path);
  }

  /** Facts of the administrative shard. */
  public void hear(List<? extends SpecificRecord> facts) {
    for (SpecificRecord fact : facts) {
      if (fact instanceof ObjectWritten written
          && written.getObject().getKind() == ObjectKind.SCHEDULER) {
        written(written.getObject());
      }
    }
  }

  private void written(ClusterObject scheduler) {
    String name = scheduler.getName();
    boolean on = Context.attribute(scheduler, "scheduling", "").equals("True");
    Boolean before = scheduling.put(name, on);
    boolean again = on && !Boolean.TRUE.equals(before);
    for (String attribute : SchedulerFolders.BOTH) {
      String path = Context.attribute(scheduler, attribute, "");
      WatchedFolder folder = new WatchedFolder(name, attribute, path);
      boolean looked = known.contains(folder);
      known.removeIf(it -> it.scheduler().equals(name) && it.attribute().equals(attribute));
      if (!path.isEmpty()) {
        known.add(folder);
        if (!looked || again) {
          look(folder);
        }
      }
    }
  }

  private void look(WatchedFolder folder) {
    refused.remove(folder);
    try {
      worker.execute(() -> check(folder));
    } catch (RejectedExecutionException e) {
      LOG.warn("scheduler {}: {} is not looked at", folder.scheduler(), folder.path());
    }
  }

  private void check(WatchedFolder folder) {
    Optional<String> why = check.refuse(folder.attribute(), folder.path());
    if (why.isPresent()) {
      LOG.warn(
          "scheduler {}: {} {} {}",
          folder.scheduler(),
          folder.attribute(),
          folder.path(),
          why.get());
      refused.put(folder, why.get());
    }
  }

  /** Commands about folders that cannot be used, until the shard has carried them out. */
  public List<SpecificRecord> due(View view, Supplier<CommandMeta> meta) {
    if (refused.isEmpty()) {
      return List.of();
    }
    List<SpecificRecord> due = new ArrayList<>();
    for (WatchedFolder folder : List.copyOf(refused.keySet())) {
      ClusterObject scheduler =
          view.objects().get(Keys.object(ObjectKind.SCHEDULER, folder.scheduler()));
      boolean set = Context.attribute(scheduler, folder.attribute(), "").equals(folder.path());
      String comment = SchedulerFolders.comment(folder.attribute());
      boolean told =
          Context.attribute(scheduler, "comment", "").equals(comment)
              && !Context.attribute(scheduler, "scheduling", "").equals("True");
      if (!set || told) {
        refused.remove(folder);
      } else {
        due.add(new NoteFolder(meta.get(), folder.scheduler(), folder.attribute(), folder.path()));
      }
    }
    return due;
  }

  @Override
  public void close() {
    worker.shutdownNow();
  }
}
