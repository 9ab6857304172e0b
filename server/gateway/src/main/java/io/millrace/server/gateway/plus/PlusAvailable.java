package io.millrace.server.gateway.plus;

import io.millrace.reservations.classad.asked.NodesAsked;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.pbs.attributes.AttributeTable;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Command;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.command.Site;
import io.millrace.server.gateway.help.Syntax;
import io.millrace.server.gateway.link.ClusterView;
import io.millrace.server.gateway.query.FreeNode;
import io.millrace.server.gateway.query.QueryException;
import io.millrace.server.gateway.reservation.OtherWords;
import io.millrace.server.gateway.reservation.RunsOfSite;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** plus_availnodes: how many whole nodes could be reserved in a window. */
final class PlusAvailable implements Command {

  private static final Syntax HOW =
      Syntax.of("", "usage: plus_availnodes -s startTime -e endTime [-x]\n")
          .with("-s startTime", "-e endTime", "-x");

  @Override
  public boolean changes() {
    return false;
  }

  @Override
  public Optional<Syntax> syntax() {
    return Optional.of(HOW);
  }

  @Override
  public int run(Call call) throws Failure, QueryException, InterruptedException {
    PlusOptions options = PlusOptions.read(call, HOW);
    options.must("-s");
    options.must("-e");
    long startMs = PlusTimes.time(call, options, "-s");
    long endMs = PlusTimes.time(call, options, "-e");
    if (endMs <= startMs || startMs < call.site().clock().millis() / 1000 * 1000) {
      throw call.failure(PbsError.BAD_TIMES.text(), PlusAnswer.REFUSED);
    }
    Map<String, Set<String>> free = free(call, startMs, endMs);
    if (options.has("-x")) {
      PlusXml xml = new PlusXml();
      free.forEach((partition, hosts) -> xml.available(partition, hosts));
      call.out(xml.end());
    } else {
      free.forEach((partition, hosts) -> call.out(partition + " " + hosts.size() + "\n"));
    }
    return 0;
  }

  /** Hosts of which a node is free in the whole window, by partition. */
  private static Map<String, Set<String>> free(Call call, long startMs, long endMs)
      throws QueryException, InterruptedException {
    Site site = call.wholeSite();
    Map<String, ClusterObject> objects = new HashMap<>();
    Map<String, Set<String>> free = new TreeMap<>();
    for (ClusterObject object : site.cluster().all(ObjectKind.NODE)) {
      objects.put(object.getName(), object);
      free.computeIfAbsent(Site.partitionOf(object), it -> new TreeSet<>());
    }
    NodesToReserve allowed =
        new NodesToReserve(
            site,
            new NodesAsked.Enquiry(
                0, call.invocation().user(), startMs, endMs, site.clock().millis()),
            objects);
    allowed.read();
    Map<String, Boolean> avoids = new HashMap<>();
    Set<Long> lasting = null;
    for (FreeNode node : byName(site.queries().freeNodes(startMs, endMs))) {
      ClusterObject object = objects.get(node.name());
      if (object == null || !OtherWords.reservable(object)) {
        continue;
      }
      String partition = Site.partitionOf(object);
      if (!node.jobs().isEmpty() && avoids.computeIfAbsent(partition, it -> avoids(site, it))) {
        lasting = lasting == null ? lasting(call, startMs) : lasting;
        if (node.jobs().stream().anyMatch(lasting::contains)) {
          continue;
        }
      }
      Set<String> hosts = free.get(partition);
      if (!hosts.contains(node.host()) && allowed.mayHave(node.name())) {
        hosts.add(node.host());
      }
    }
    return free;
  }

  /** Whether reservations of a partition lie over no run; where they do, runs give way. */
  private static boolean avoids(Site site, String partition) {
    return site.cluster()
        .find(ObjectKind.PARTITION, partition)
        .flatMap(it -> ClusterView.attribute(it, "scheduler"))
        .flatMap(it -> site.cluster().find(ObjectKind.SCHEDULER, it))
        .flatMap(it -> ClusterView.attribute(it, AttributeTable.RESERVATION_START))
        .equals(Optional.of("avoid"));
  }

  private static List<FreeNode> byName(List<FreeNode> nodes) {
    return nodes.stream().sorted(Comparator.comparing(FreeNode::name)).toList();
  }

  /**
   * Numbers of the jobs whose runs last beyond a time by their walltime, or without end; those that
   * give way to reservations do not.
   */
  private static Set<Long> lasting(Call call, long startMs)
      throws QueryException, InterruptedException {
    Set<Long> lasting = new HashSet<>();
    RunsOfSite.staying(
        call,
        job -> {
          if (RunsOfSite.endMs(job) > startMs) {
            lasting.add(job.getNumber());
          }
        });
    return lasting;
  }
}
