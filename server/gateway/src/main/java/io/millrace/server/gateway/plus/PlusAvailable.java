package io.millrace.server.gateway.plus;

import io.millrace.reservations.classad.asked.NodesAsked;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.pbs.attributes.AttributeTable;
import io.millrace.schemas.state.Holding;
import io.millrace.schemas.state.Node;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Command;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.command.Site;
import io.millrace.server.gateway.help.Syntax;
import io.millrace.server.gateway.link.ClusterView;
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
    Set<String> booked = site.queries().bookedNodes(startMs, endMs);
    Set<Long> lasting = lasting(call, startMs);
    Map<String, ClusterObject> objects = new TreeMap<>();
    site.cluster().all(ObjectKind.NODE).forEach(it -> objects.put(it.getName(), it));
    Map<String, Set<String>> free = new TreeMap<>();
    objects
        .values()
        .forEach(it -> free.computeIfAbsent(Site.partitionOf(it), p -> new TreeSet<>()));
    List<Node> nodes = site.queries().nodes();
    NodesToReserve allowed =
        new NodesToReserve(
            site,
            new NodesAsked.Enquiry(
                0, call.invocation().user(), startMs, endMs, site.clock().millis()),
            objects,
            nodes);
    allowed.read();
    Map<String, Boolean> avoids = new HashMap<>();
    for (Node node : byName(nodes)) {
      ClusterObject object = objects.get(node.getName());
      boolean usable = object != null && node.getUp() && OtherWords.reservable(object);
      boolean runs =
          usable
              && !node.getHoldings().isEmpty()
              && avoids.computeIfAbsent(Site.partitionOf(object), it -> avoids(site, it))
              && node.getHoldings().stream().map(Holding::getNumber).anyMatch(lasting::contains);
      if (!usable || runs || booked.contains(node.getName())) {
        continue;
      }
      Set<String> hosts = free.get(Site.partitionOf(object));
      if (!hosts.contains(node.getHost()) && allowed.mayHave(node)) {
        hosts.add(node.getHost());
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

  private static List<Node> byName(List<Node> nodes) {
    return nodes.stream().sorted(Comparator.comparing(Node::getName)).toList();
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
