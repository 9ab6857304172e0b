package io.millrace.server.gateway;

import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.pbs.attributes.AttributeTable;
import io.millrace.schemas.pbs.schedconfig.StoredPolicy;
import io.millrace.server.gateway.PolicyFolder.PolicyContent;
import io.millrace.server.gateway.command.Site;
import io.millrace.server.gateway.link.ClusterView;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loads the files of the folders that scheduler objects follow, each time when they change. One
 * thread, which looks at some files and sends one command at a time.
 */
final class PolicyFolderWatch {
  private static final Logger LOG = LoggerFactory.getLogger(PolicyFolderWatch.class);

  private static final String USER = "gateway";
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  /** Longest problem that a scheduler object tells, characters. */
  private static final int PROBLEM_MAX = 200;

  /** A folder that is followed, and what of it was not said to the server yet; null for nothing. */
  private static final class FollowedFolder {
    private final String path;
    private final PolicyFolder folder;
    private PolicyContent due;

    private RefusalBackOff again;

    FollowedFolder(String path) {
      this.path = path;
      this.folder = new PolicyFolder(path);
    }
  }

  private final Site site;
  private final long everyMs;
  private final Map<String, FollowedFolder> followed = new HashMap<>();

  PolicyFolderWatch(Site site, long everyMs) {
    this.site = site;
    this.everyMs = everyMs;
  }

  /**
   * Begins to look at the folders.
   *
   * @param everyMs pause between two looks
   */
  static void begin(Site site, long everyMs) {
    Thread thread = new Thread(new PolicyFolderWatch(site, everyMs)::run, "policy-folders");
    thread.setDaemon(true);
    thread.start();
  }

  private void run() {
    try {
      while (true) {
        turn();
        TimeUnit.MILLISECONDS.sleep(everyMs);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Looks at each folder once. */
  void turn() throws InterruptedException {
    Map<String, ClusterObject> following = new TreeMap<>();
    for (ClusterObject scheduler : site.cluster().all(ObjectKind.SCHEDULER)) {
      if (ClusterView.attribute(scheduler, AttributeTable.POLICY_FOLDER).isPresent()) {
        following.put(scheduler.getName(), scheduler);
      }
    }
    followed.keySet().retainAll(following.keySet());
    for (ClusterObject scheduler : following.values()) {
      String path = ClusterView.attribute(scheduler, AttributeTable.POLICY_FOLDER).orElseThrow();
      FollowedFolder known = followed.get(scheduler.getName());
      if (known == null || !known.path.equals(path)) {
        known = new FollowedFolder(path);
        followed.put(scheduler.getName(), known);
      }
      Optional<PolicyContent> found = known.folder.look();
      if (found.isPresent()) {
        known.due = found.get();
        known.again = new RefusalBackOff();
      }
      if (known.due != null && known.again.due() && say(scheduler, known)) {
        known.due = null;
      }
    }
  }

  /** True when that was answered, or is so already. */
  private boolean say(ClusterObject scheduler, FollowedFolder known) throws InterruptedException {
    PolicyContent content = known.due;
    Map<String, String> values = new TreeMap<>();
    values.put(AttributeTable.POLICY_PROBLEM, cut(content.problem()));
    if (content.problem().isEmpty()) {
      String loaded = attribute(scheduler, AttributeTable.SCHED_CONFIG);
      String zone = loaded.isEmpty() ? site.clock().getZone().getId() : zone(loaded);
      values.put(AttributeTable.SCHED_CONFIG, StoredPolicy.join(content.texts(), zone));
    }
    String name = scheduler.getName();
    if (values.entrySet().stream()
        .allMatch(it -> attribute(scheduler, it.getKey()).equals(it.getValue()))) {
      return true;
    }
    String problem = content.problem();
    try {
      Reply reply = set(name, values);
      if (reply.getCode() == PbsError.ILLEGAL_VALUE.code() && problem.isEmpty()) {
        problem = String.join(" ", reply.getLines());
        reply = set(name, Map.of(AttributeTable.POLICY_PROBLEM, cut(problem)));
      }
      if (reply.getCode() != 0) {
        String why = String.join(" ", reply.getLines());
        if (known.again.refused(why)) {
          LOG.info("scheduler {}: the files of {} are tried again: {}", name, known.path, why);
        }
        return false;
      }
      LOG.info(
          "scheduler {}: the files of {} {}",
          name,
          known.path,
          problem.isEmpty() ? "were loaded" : "are kept out: " + problem);
      return true;
    } catch (ExecutionException | TimeoutException e) {
      if (known.again.refused(e.toString())) {
        LOG.warn("scheduler {}: its files are not loaded yet: {}", name, e.toString());
      }
      return false;
    }
  }

  private static String zone(String loaded) {
    return StoredPolicy.read(loaded).zone().getId();
  }

  private Reply set(String scheduler, Map<String, String> values)
      throws InterruptedException, ExecutionException, TimeoutException {
    return new GatewayCommands(site, USER, USER, Role.MANAGER)
        .set(ObjectKind.SCHEDULER, scheduler, values, PATIENCE)
        .get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }

  private static String attribute(ClusterObject scheduler, String name) {
    return ClusterView.attribute(scheduler, name).orElse("");
  }

  private static String cut(String problem) {
    String line = problem.replaceAll("\\p{Cc}", " ").strip();
    return line.length() <= PROBLEM_MAX ? line : line.substring(0, PROBLEM_MAX - 3) + "...";
  }
}
