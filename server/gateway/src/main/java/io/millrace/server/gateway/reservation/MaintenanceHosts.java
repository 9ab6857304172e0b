package io.millrace.server.gateway.reservation;

import io.millrace.schemas.command.DeleteReservation;
import io.millrace.schemas.command.SubmitReservation;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.command.Roles;
import io.millrace.server.gateway.command.Site;
import io.millrace.server.gateway.link.ClusterView;
import io.millrace.server.gateway.link.LinkException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * pbs_rsub --hosts: each shard that has nodes of the hosts is asked for a reservation of its own.
 * One that refuses has those of the others deleted.
 */
final class MaintenanceHosts {

  private MaintenanceHosts() {}

  /** Refuses what PBS refuses. */
  static void check(Call call, ReserveOptions options) throws Failure {
    Set<String> known = new HashSet<>();
    call.site().cluster().all(ObjectKind.NODE).forEach(node -> known.add(host(node)));
    for (String host : options.hosts()) {
      if (!known.contains(host)) {
        throw call.failure("Host with resources not found: " + host, 2);
      }
    }
    if (call.role() == Role.USER) {
      throw call.failure(PbsError.UNAUTHORIZED);
    }
    if (!Roles.maySubmit(call)) {
      throw call.failure(PbsError.RESERVATION_UID);
    }
  }

  private static String host(ClusterObject node) {
    return ClusterView.attribute(node, "Mom").orElse(node.getName());
  }

  /**
   * @param spec what is asked for, but for partition and hosts
   */
  static int reserve(Call call, ReserveOptions options, ReservationSpec spec)
      throws Failure, LinkException, InterruptedException {
    Map<Integer, String> made = new TreeMap<>();
    try {
      reserve(call, options, spec, made);
    } catch (LinkException e) {
      // They stay: who repeats the command gets these and the rest. At a gateway that stops the
      // client repeats it by itself.
      if (e.kind() != LinkException.LinkFailureKind.CLOSED) {
        tell(call, made);
      }
      throw e;
    }
    tell(call, made);
    return 0;
  }

  private static void tell(Call call, Map<Integer, String> made) {
    made.values().forEach(line -> call.out(line + "\n"));
  }

  /**
   * @param made what each shard has said of what it has made
   */
  private static void reserve(
      Call call, ReserveOptions options, ReservationSpec spec, Map<Integer, String> made)
      throws Failure, LinkException, InterruptedException {
    spec.setMaintained(options.hosts());
    for (Map.Entry<Integer, String> shard : shards(call, options).entrySet()) {
      spec.setPartition(shard.getValue());
      Reply reply =
          call.send(
              shard.getKey(), meta -> new SubmitReservation(meta, spec, 0L, false, false, false));
      if (reply.getCode() != 0) {
        for (Integer other : List.copyOf(made.keySet())) {
          String id = made.get(other).split(" ")[0];
          call.send(other, meta -> new DeleteReservation(meta, id, true, false));
          made.remove(other);
        }
        throw call.failure(Rsub.refusal(reply), PbsError.exitStatus(reply.getCode()));
      }
      made.put(shard.getKey(), reply.getLines().get(0));
    }
  }

  /** A partition of each shard that has nodes of the hosts; the default one where it has that. */
  private static Map<Integer, String> shards(Call call, ReserveOptions options)
      throws LinkException, InterruptedException {
    Map<Integer, String> shards = new TreeMap<>();
    for (ClusterObject node : call.site().cluster().all(ObjectKind.NODE)) {
      if (options.hosts().contains(host(node))) {
        String partition = ClusterView.attribute(node, "partition").orElse(Site.DEFAULT_PARTITION);
        int shard = Rsub.shard(call, partition);
        shards.merge(shard, partition, MaintenanceHosts::first);
      }
    }
    return shards;
  }

  private static String first(String one, String other) {
    if (List.of(one, other).contains(Site.DEFAULT_PARTITION)) {
      return Site.DEFAULT_PARTITION;
    }
    return one.compareTo(other) < 0 ? one : other;
  }
}
