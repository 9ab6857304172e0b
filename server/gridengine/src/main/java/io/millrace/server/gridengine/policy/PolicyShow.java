package io.millrace.server.gridengine.policy;

import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.attributes.AttributeTable;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Command;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.link.ClusterView;
import io.millrace.server.gateway.link.LinkException;
import java.util.Optional;

/** {@code policy-show SCHEDULER}: the texts that {@code policy load} has set. */
public final class PolicyShow implements Command {

  @Override
  public boolean changes() {
    return false;
  }

  @Override
  public int run(Call call) throws Failure, LinkException, InterruptedException {
    if (call.args().size() != 1) {
      throw new Failure("usage: policy-show SCHEDULER\n", 2);
    }
    String name = call.args().get(0);
    ClusterObject scheduler =
        call.site()
            .find(ObjectKind.SCHEDULER, name)
            .orElseThrow(() -> new Failure("millrace policy: Unknown Scheduler " + name + "\n", 1));
    Optional<String> text = ClusterView.attribute(scheduler, attribute(scheduler));
    Optional<String> reservable = ClusterView.attribute(scheduler, AttributeTable.RESERVABLE);
    if (text.isEmpty() && reservable.isEmpty()) {
      throw new Failure("millrace policy: scheduler " + name + " has no configuration\n", 1);
    }
    text.ifPresent(call::out);
    // Alone it can be loaded as it is printed; behind another one it has its name, as files have.
    reservable.ifPresent(ad -> call.out((text.isEmpty() ? "" : "=== reservable.ad\n") + ad));
    return 0;
  }

  /** The attribute with the texts that the object's policy goes by. */
  private static String attribute(ClusterObject scheduler) {
    String policy = ClusterView.attribute(scheduler, "policy").orElse("");
    boolean own =
        policy.equals(AttributeTable.SCHED_CONFIG) || policy.equals(AttributeTable.ORIGIN2000);
    return own ? policy : AttributeTable.GRID_ENGINE_CONFIGURATION;
  }
}
