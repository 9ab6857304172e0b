package io.millrace.server.gateway.share;

import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.pbs.attributes.AttributeTable;
import io.millrace.schemas.pbs.schedconfig.FollowedFiles;
import io.millrace.schemas.state.PolicyInput;
import io.millrace.server.gateway.command.Site;
import io.millrace.server.gateway.link.ClusterView;
import io.millrace.server.gateway.query.QueryException;
import java.util.List;
import java.util.Optional;

/** The texts of a PBS scheduler that a scheduler object goes by now. */
public final class SiteTexts {

  private SiteTexts() {}

  /** The files as one text; empty where none were loaded. */
  public static Optional<String> of(Site site, ClusterObject scheduler)
      throws QueryException, InterruptedException {
    Optional<String> loaded = ClusterView.attribute(scheduler, AttributeTable.SCHED_CONFIG);
    Optional<String> folder = ClusterView.attribute(scheduler, AttributeTable.POLICY_FOLDER);
    if (loaded.isEmpty() || folder.isEmpty()) {
      return loaded;
    }
    List<PolicyInput> inputs =
        site.queries().schedulers(shard(scheduler)).stream()
            .filter(it -> it.getName().equals(scheduler.getName()))
            .flatMap(it -> it.getInputs().stream())
            .toList();
    return Optional.of(FollowedFiles.inForce(loaded.get(), folder.get(), inputs));
  }

  /** The shard in which a scheduler object is. */
  static int shard(ClusterObject scheduler) {
    return ClusterView.attribute(scheduler, "shard").map(Integer::parseInt).orElse(0);
  }
}
