package io.millrace.server.core.cluster;

import io.millrace.schemas.Topics;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.pbs.attributes.AttributeDefinition;
import io.millrace.schemas.pbs.attributes.AttributeTable;
import io.millrace.schemas.pbs.attributes.AttributeType;
import io.millrace.schemas.pbs.attributes.LimitEntry;
import io.millrace.schemas.pbs.reasons.EligibleTime;
import io.millrace.schemas.state.ObjectChange;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The server: there is one, and it shows what the default scheduler shows. */
record ServerRules(ObjectChange change, Draft draft) implements ObjectRules {

  /** At least three heartbeats, so that a late one does not make a host lost. */
  private static final long UNHEARD_MIN_S = 3L * Topics.HEARTBEAT_S;

  /** As in PBS. */
  private static final long REQUEUE_MAX_S = 3 * 3600;

  private static final Set<String> OF_RESERVATIONS =
      Set.of(AttributeTable.MAX_RESERVATIONS, AttributeTable.MAX_RESERVED);

  /** Whoever stands there comes from a host, or from any: {@code user@*}. */
  private static final Set<String> OF_RIGHTS = Set.of("managers", "operators");

  /**
   * Values of the attribute by which qterm notes how it ends the server; empty when it does not.
   */
  private static final Set<String> WAYS_TO_END = Set.of("", "immediate", "delay");

  @Override
  public Map<String, String> fresh() throws RejectedChange {
    throw new RejectedChange(PbsError.INVALID_REQUEST);
  }

  @Override
  public PbsError unknown() {
    return PbsError.UNKNOWN_RESOURCE;
  }

  @Override
  public void check(AttributeDefinition definition, String value) throws RejectedChange {
    if (definition.name().equals("default_queue") && draft.find(ObjectKind.QUEUE, value) == null) {
      throw new RejectedChange(PbsError.UNKNOWN_QUEUE);
    }
    if (definition.name().equals("max_unheard") && Long.parseLong(value) < UNHEARD_MIN_S) {
      throw new RejectedChange(PbsError.ILLEGAL_VALUE);
    }
    if (definition.name().equals(AttributeTable.RESERVE_RETRY) && !isRetryTime(value)) {
      throw new RejectedChange(PbsError.ILLEGAL_VALUE);
    }
    if (definition.name().equals("job_requeue_timeout")) {
      long seconds = AttributeType.parseSeconds(value).orElse(0L);
      if (seconds < 1 || seconds > REQUEUE_MAX_S) {
        throw new RejectedChange(PbsError.ILLEGAL_VALUE);
      }
    }
    if (OF_RESERVATIONS.contains(definition.name())
        && LimitEntry.parse(value).orElse(List.of()).stream().anyMatch(it -> it.whom() == 'p')) {
      throw new RejectedChange(PbsError.ILLEGAL_VALUE, ": reservations have no project");
    }
    ObjectRules.checkAccess(definition, value);
    if (OF_RIGHTS.contains(definition.name())
        && !Draft.words(value).stream().allMatch(it -> it.indexOf('@') > 0)) {
      throw new RejectedChange(PbsError.HOST_REFUSED);
    }
    ObjectRules.checkArrays(definition, value);
    ObjectRules.checkOutput(definition, value);
    ObjectRules.checkSets(definition, value, draft);
  }

  /** Seconds that are neither none at all nor longer than any reservation. */
  private static boolean isRetryTime(String value) {
    long seconds = Long.parseLong(value);
    return seconds >= 1 && seconds <= Integer.MAX_VALUE;
  }

  /** Attributes shared with the default scheduler get that scheduler's initial value. */
  @Override
  public String afterUnset(AttributeDefinition definition) {
    return SchedulerRules.SHARED_WITH_SERVER.contains(definition.name())
        ? AttributeTable.defaultOf(ObjectKind.SCHEDULER, definition.name())
        : "";
  }

  @Override
  public void delete(ClusterObject object) throws RejectedChange {
    throw new RejectedChange(PbsError.INVALID_REQUEST);
  }

  /** As in PBS, scheduling and scheduler_iteration of the server are the default scheduler's. */
  @Override
  public void follow(ClusterObject before, Map<String, String> attributes) throws RejectedChange {
    if (!WAYS_TO_END.contains(attributes.getOrDefault(AttributeTable.TERMINATING, ""))) {
      throw new RejectedChange(PbsError.ILLEGAL_VALUE);
    }
    LimitStyles.check(draft, change, attributes);
    ReservableRules.follow(before, attributes);
    SortFormulas.check(draft, ObjectKind.SERVER, attributes);
    if (attributes.getOrDefault(EligibleTime.ENABLE, "False").equals("True")) {
      // The start of counting stays when the attribute is switched off and on again.
      attributes.putIfAbsent(EligibleTime.COUNTED_SINCE, Long.toString(draft.nowMs()));
    }
    ClusterObject scheduler = draft.find(ObjectKind.SCHEDULER, Draft.DEFAULT_SCHEDULER);
    if (scheduler == null) {
      return;
    }
    Map<String, String> mirrored = Draft.attributes(scheduler);
    for (String name : SchedulerRules.SHARED_WITH_SERVER) {
      if (ObjectRules.edit(change, name) != null) {
        mirrored.put(name, attributes.get(name));
      }
    }
    if (!mirrored.equals(Draft.attributes(scheduler))) {
      draft.write(ObjectKind.SCHEDULER, Draft.DEFAULT_SCHEDULER, mirrored);
    }
  }
}
