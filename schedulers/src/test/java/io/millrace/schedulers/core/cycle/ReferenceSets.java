package io.millrace.schedulers.core.cycle;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schedulers.core.model.ObjectAttributes;
import io.millrace.schemas.HostName;
import io.millrace.schemas.common.Chunk;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.common.ResourceRequest;
import io.millrace.schemas.state.Node;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Finds placement sets by a look at all nodes, and whether a job lies in one as it has to. */
final class ReferenceSets {

  private final SchedulerFixture world;
  private int together;
  private int spanned;
  private int clustered;

  ReferenceSets(SchedulerFixture world) {
    this.world = world;
  }

  /** Jobs on several nodes that lay in one set. */
  int together() {
    return together;
  }

  /** Jobs that were seen on several nodes of a cluster of another system. */
  int clustered() {
    return clustered;
  }

  /** Jobs that were seen to use several sets. */
  int spanned() {
    return spanned;
  }

  /**
   * Checks that a job's shares are in one set, or in several where they may be, and on nodes of one
   * cluster of another system or of none.
   */
  void check(long number, List<NodeShare> shares, String where) {
    ResourceRequest request = world.jobs.get(number).getSpec().getRequest();
    inOneCluster(number, shares, where);
    List<String> keys = keys(number, request.getPlace());
    if (keys.isEmpty() || world.standsStill(number)) {
      return; // what stands still goes on where it is, whatever its nodes show by now
    }
    Set<String> common = null;
    Set<String> nodes = new HashSet<>();
    for (NodeShare share : shares) {
      ClusterObject node = world.object(ObjectKind.NODE, share.getNode());
      if (share.getChunks() > 0 && node != null) {
        nodes.add(share.getNode());
        Set<String> here = sets(node, keys, severalHosts(request));
        common = common == null ? here : common;
        common.retainAll(here);
      }
    }
    if (common == null || !common.isEmpty()) {
      together += nodes.size() > 1 ? 1 : 0;
      return;
    }
    spanned++;
    assertFalse(
        scheduler("do_not_span_psets"), where + ": " + number + " spans " + keys + " " + shares);
    if (request.getChunks().size() == 1
        && request.getChunks().get(0).getMatches().isEmpty()
        && !request.getPlace().matches(".*(pack|scatter).*")) {
      largest(number, keys)
          .forEach(
              (set, room) ->
                  assertTrue(
                      room < request.getChunks().get(0).getCount(),
                      where + ": " + number + " spans though it would fit into " + set));
    }
  }

  /** What stands still was there before its nodes became others'. */
  private void inOneCluster(long number, List<NodeShare> shares, String where) {
    Set<String> clusters = new TreeSet<>();
    for (NodeShare share : shares) {
      if (share.getChunks() > 0 && !world.standsStill(number)) {
        clusters.add(cluster(share.getNode()));
      }
    }
    assertTrue(clusters.size() < 2, where + ": " + number + " in " + clusters + " " + shares);
    clustered += shares.size() > 1 && !clusters.contains("") ? 1 : 0;
  }

  private String cluster(String node) {
    Node known = world.nodes.get(node);
    return known == null ? "" : HostName.cluster(known.getHost());
  }

  private static boolean severalHosts(ResourceRequest request) {
    return request.getChunks().stream().mapToInt(Chunk::getCount).sum() > 1
        && !request.getPlace().contains("pack");
  }

  /** The job's own key, its queue's or the server's. */
  private List<String> keys(long number, String place) {
    if (place.contains("group=")) {
      return List.of(place.replaceFirst(".*group=", ""));
    }
    ClusterObject server = world.object(ObjectKind.SERVER, "server");
    if (server == null
        || world.inside(number)
        || !ObjectAttributes.text(server, "node_group_enable", "").equals("True")) {
      return List.of();
    }
    String queue = world.jobs.get(number).getSpec().getQueue();
    String own = ObjectAttributes.text(world.object(ObjectKind.QUEUE, queue), "node_group_key", "");
    String all = own.isEmpty() ? ObjectAttributes.text(server, "node_group_key", "") : own;
    return all.isEmpty() ? List.of() : List.of(all.split(","));
  }

  private boolean scheduler(String attribute) {
    ClusterObject object = world.object(ObjectKind.SCHEDULER, "default");
    return object != null && ObjectAttributes.text(object, attribute, "").equals("True");
  }

  /** With nodes of several clusters told apart, for one that may lie on several hosts. */
  private Set<String> sets(ClusterObject object, List<String> keys, boolean apart) {
    String cluster = apart ? cluster(object.getName()) : "";
    Set<String> sets = new TreeSet<>();
    Node node = world.nodes.get(object.getName());
    for (String key : keys) {
      String shown =
          key.equals("host")
              ? node == null ? "" : node.getHost()
              : ObjectAttributes.text(object, "resources_available." + key, "");
      for (String value : shown.split(",")) {
        if (!value.isEmpty() || !scheduler("only_explicit_psets")) {
          sets.add(key + "=" + value + "@" + cluster);
        }
      }
    }
    return sets;
  }

  /** Chunks that each set of the job's nodes has room for when nothing runs. */
  private Map<String, Long> largest(long number, List<String> keys) {
    ResourceRequest request = world.jobs.get(number).getSpec().getRequest();
    Chunk chunk = request.getChunks().get(0);
    Map<String, Long> rooms = new HashMap<>();
    for (ClusterObject object : nodesFor(world.jobs.get(number).getSpec().getQueue())) {
      long most = chunk.getCount();
      for (Map.Entry<String, Long> amount : chunk.getAmounts().entrySet()) {
        if (amount.getValue() > 0) {
          most = Math.min(most, has(object, amount.getKey()) / amount.getValue());
        }
      }
      for (String set : sets(object, keys, severalHosts(request))) {
        rooms.merge(set, most, Long::sum);
      }
    }
    return rooms;
  }

  private long has(ClusterObject object, String resource) {
    return resource.equals("lic")
        ? RandomFacts.LICENSES
        : world.nodes.get(object.getName()).getMeasured().getOrDefault(resource, 0L);
  }

  private List<ClusterObject> nodesFor(String queue) {
    List<ClusterObject> bound = new ArrayList<>();
    List<ClusterObject> free = new ArrayList<>();
    String partition = partition(world.object(ObjectKind.QUEUE, queue));
    boolean own = false;
    for (ClusterObject object : world.objects.values()) {
      if (object.getKind() == ObjectKind.NODE) {
        String to = ObjectAttributes.text(object, "queue", "");
        own |= to.equals(queue);
        if (world.nodes.containsKey(object.getName()) && partition(object).equals(partition)) {
          (to.equals(queue) ? bound : to.isEmpty() ? free : new ArrayList<ClusterObject>())
              .add(object);
        }
      }
    }
    return own ? bound : free;
  }

  private static String partition(ClusterObject object) {
    String name = ObjectAttributes.text(object, "partition", "");
    return name.isEmpty() ? "pbs-default" : name;
  }
}
