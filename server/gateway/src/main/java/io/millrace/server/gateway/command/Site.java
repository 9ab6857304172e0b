package io.millrace.server.gateway.command;

import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.pbs.resources.RequestParser;
import io.millrace.schemas.pbs.resources.ResourceTable;
import io.millrace.server.gateway.link.ClusterView;
import io.millrace.server.gateway.link.LinkException;
import io.millrace.server.gateway.link.ShardLink;
import io.millrace.server.gateway.query.Queries;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What all commands of a gateway share.
 *
 * @param link sends commands
 * @param cluster knows the objects
 * @param queries asks the shards
 * @param clock the wall clock and the zone in which times are shown
 * @param host name of the gateway's host, as in Job_Owner
 * @param home folder with the logs of the cluster, absolute; empty where there are none
 */
public record Site(
    ShardLink link, ClusterView cluster, Queries queries, Clock clock, String host, String home) {

  /** A site without logs. */
  public Site(ShardLink link, ClusterView cluster, Queries queries, Clock clock, String host) {
    this(link, cluster, queries, clock, host, "");
  }

  public static final String DEFAULT_PARTITION = "pbs-default";

  /** This site as seen by a user who may see no jobs but his own. */
  private Site ofOwnJobs(String user) {
    return with(new OwnJobs(queries, user));
  }

  /**
   * This site with the jobs of all, those of others without what is their owners' alone unless the
   * user is operator or manager. Every door asks a site of this kind, never this one itself.
   *
   * @param role of the user; asked only when it matters, since his host may have to be looked up
   */
  Site withoutPrivateParts(String user, Supplier<Role> role) {
    boolean shown = serverAttribute(PrivateParts.SHOWN).filter("True"::equals).isPresent();
    return shown ? this : with(new OthersJobs(queries, user, role));
  }

  /**
   * This site as far as a user may see it.
   *
   * @param role as of {@link #withoutPrivateParts}
   */
  public Site seenBy(String user, Supplier<Role> role) {
    Site site = withoutPrivateParts(user, role);
    return Roles.seesAll(this, role) ? site : site.ofOwnJobs(user);
  }

  private Site with(Queries seen) {
    return new Site(link, cluster, seen, clock, host, home);
  }

  /** Why nothing is answered, with the disks of the home that are full, which may be the cause. */
  public String withRoom(String why) {
    String full = home.isEmpty() ? "" : DiskRoom.words(Path.of(home));
    return full.isEmpty() ? why : why + "; " + full;
  }

  /** Name of the server: the part of a job id behind the dot. */
  public String server() {
    return cluster.server().flatMap(s -> ClusterView.attribute(s, "server_host")).orElse("server");
  }

  /** Value of an attribute of the server object. */
  public Optional<String> serverAttribute(String name) {
    return cluster.server().flatMap(s -> ClusterView.attribute(s, name));
  }

  /** The resources that exist now. */
  public ResourceTable resources() {
    return ResourceTable.of(cluster.all(ObjectKind.RESOURCE));
  }

  /** Reads requests of the resources and nodes that exist now. */
  public RequestParser requests() {
    return new RequestParser(resources(), Map.of(), this::isNode);
  }

  private boolean isNode(String name) {
    try {
      return find(ObjectKind.NODE, name).isPresent();
    } catch (LinkException e) {
      return false; // the name is refused as no node; later calls fail in the same way
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** An object. When it is not known, all changes that were committed before are read first. */
  public Optional<ClusterObject> find(ObjectKind kind, String name)
      throws LinkException, InterruptedException {
    Optional<ClusterObject> known = cluster.find(kind, name);
    if (known.isPresent()) {
      return known;
    }
    cluster.barrier();
    return cluster.find(kind, name);
  }

  public static String partitionOf(ClusterObject queueOrNode) {
    return ClusterView.attribute(queueOrNode, "partition").orElse(DEFAULT_PARTITION);
  }

  /** Shard in which the queue's jobs live. */
  public int shardOf(ClusterObject queueOrNode) {
    return partition(queueOrNode)
        .flatMap(p -> ClusterView.attribute(p, "shard"))
        .map(Integer::parseInt)
        .orElse(0);
  }

  /** Scheduler object that serves the queue's partition; empty when none does. */
  public String schedulerOf(ClusterObject queueOrNode) {
    return partition(queueOrNode).flatMap(p -> ClusterView.attribute(p, "scheduler")).orElse("");
  }

  private Optional<ClusterObject> partition(ClusterObject queueOrNode) {
    return cluster.find(ObjectKind.PARTITION, partitionOf(queueOrNode));
  }
}
