package io.millrace.server.campaigns.ask;

import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.common.ResourceRequest;
import io.millrace.schemas.pbs.attributes.AttributeTable;
import io.millrace.schemas.pbs.attributes.NightWindow;
import io.millrace.server.campaigns.core.standing.JobStanding;
import io.millrace.server.campaigns.jdl.JdlRefused;
import io.millrace.server.gateway.command.Site;
import io.millrace.server.gateway.link.ClusterView;
import io.millrace.server.gateway.link.LinkException;
import java.util.Map;
import java.util.Optional;

/** Whether a queue can be what the type of a campaign needs. */
final class ClusterTypes {

  private static final String TYPE = "type";

  private final Site site;

  ClusterTypes(Site site) {
    this.site = site;
  }

  static JobStanding of(Map<String, Object> settings) {
    return JobStanding.find(settings.get(TYPE).toString()).orElseThrow();
  }

  private Optional<String> attribute(String queue, String name) {
    return site.cluster()
        .find(ObjectKind.QUEUE, queue)
        .flatMap(it -> ClusterView.attribute(it, name));
  }

  private boolean isBestEffort(String queue) {
    return attribute(queue, AttributeTable.BEST_EFFORT).filter("True"::equals).isPresent();
  }

  /**
   * Looks whether a queue will do.
   *
   * @param path the cluster's in the description
   * @param request what a task asks for
   */
  void check(String path, JobStanding type, String queue, ResourceRequest request)
      throws JdlRefused {
    boolean givesWay = isBestEffort(queue);
    if (type == JobStanding.SEMI_BEST_EFFORT) {
      if (!givesWay) {
        throw refused(
            path, type, "needs a queue with best_effort = True, whose jobs give way by day");
      }
      window(path, type, queue);
      return;
    }
    if (type != JobStanding.BEST_EFFORT && givesWay) {
      throw refused(path, type, "never goes to a queue with best_effort = True; name another one");
    }
    if (type == JobStanding.NIGHTLY) {
      NightWindow night = window(path, type, queue);
      if (request.getWalltimeS() < 0) {
        throw refused(
            path, type, "needs a walltime: a task begins where it is over before the night is");
      }
      if (request.getWalltimeS() > night.seconds()) {
        throw refused(path, type, "has tasks that may run longer than the night there, " + night);
      }
    }
  }

  private NightWindow window(String path, JobStanding type, String queue) throws JdlRefused {
    return attribute(queue, AttributeTable.NIGHT_WINDOW)
        .flatMap(NightWindow::parse)
        .orElseThrow(
            () ->
                refused(
                    path,
                    type,
                    "needs a queue with a night, which a manager sets: set queue "
                        + queue
                        + " night_window = 20:00-06:00"));
  }

  /** The ordinary queue to which jobs of a best-effort queue go by night. */
  String nightQueue(String path, String queue)
      throws JdlRefused, LinkException, InterruptedException {
    JobStanding type = JobStanding.SEMI_BEST_EFFORT;
    String name = attribute(queue, AttributeTable.NIGHT_QUEUE).orElse("");
    if (name.isEmpty()) {
      throw refused(
          path,
          type,
          "needs a queue of the night, which a manager sets: set queue "
              + queue
              + " night_queue = QUEUE");
    }
    ClusterObject night = site.find(ObjectKind.QUEUE, name).orElse(null);
    String its = "needs another queue of the night than " + name + ", which ";
    if (night == null) {
      throw refused(path, type, its + "is not there");
    }
    if (isBestEffort(name)) {
      throw refused(path, type, its + "is best effort, too");
    }
    String partition = Site.partitionOf(night);
    if (!site.find(ObjectKind.QUEUE, queue).map(Site::partitionOf).equals(Optional.of(partition))) {
      throw refused(path, type, its + "has nodes of another partition");
    }
    return name;
  }

  private static JdlRefused refused(String path, JobStanding type, String why) {
    return JdlRefused.at(path, TYPE + " " + type.word() + " " + why);
  }
}
