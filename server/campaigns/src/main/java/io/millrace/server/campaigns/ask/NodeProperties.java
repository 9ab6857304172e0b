package io.millrace.server.campaigns.ask;

import io.millrace.schemas.NodeLoads;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.oar.OarProperties;
import io.millrace.schemas.pbs.attributes.Nearest;
import io.millrace.schemas.pbs.resources.RequestException;
import io.millrace.schemas.pbs.resources.ResourceDefinition;
import io.millrace.schemas.pbs.resources.ResourceKind;
import io.millrace.schemas.pbs.resources.ResourceTable;
import io.millrace.schemas.state.Node;
import io.millrace.server.campaigns.jdl.JdlRefused;
import io.millrace.server.gateway.command.Site;
import io.millrace.server.gateway.link.ClusterView;
import io.millrace.server.gateway.link.LinkException;
import io.millrace.server.gateway.query.QueryException;
import io.millrace.server.gateway.request.NewJobBuilder;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Which nodes will do for the tasks of a campaign. OAR asks its database; here each condition is
 * one more word in each chunk of the select.
 */
final class NodeProperties {

  /** What a select can have as a value. */
  private static final Pattern VALUE = Pattern.compile("[A-Za-z0-9_.@/-]+");

  /** OAR's names of what PBS calls otherwise. */
  private static final Map<String, String> NAMES = Map.of("network_address", "host");

  private static final Map<String, String> FLAGS =
      Map.of("yes", "True", "true", "True", "no", "False", "false", "False");

  private final Site site;

  NodeProperties(Site site) {
    this.site = site;
  }

  /**
   * What a job asks for that is to run on such nodes only.
   *
   * @param path the cluster's in the description
   * @param asked by resources, as -l of qsub has them
   * @return the same by resources
   */
  Map<String, String> asked(String path, String queue, String properties, Map<String, String> asked)
      throws JdlRefused, RequestException, LinkException, InterruptedException {
    if (isOutside(queue)) {
      throw refused(path, "queue " + queue + " is a cluster outside, which chooses hosts itself");
    }
    Map<String, String> wanted = new TreeMap<>();
    OarProperties read = read(path, properties);
    if (read.more().isPresent()) {
      throw refused(
          path,
          read.more().get()
              + " cannot be said by a select, which asks nodes for NAME = 'VALUE', several with"
              + " AND, and for amounts by resources");
    }
    for (OarProperties.HostValue shown : read.values()) {
      String name = NAMES.getOrDefault(shown.name(), shown.name());
      String value = value(path, name, shown.value());
      String before = wanted.put(name, value);
      if (before != null && !before.equals(value)) {
        throw refused(path, "no node shows both " + name + " = " + before + " and " + value);
      }
    }
    Map<String, String> all = new TreeMap<>();
    site.requests()
        .onNodes(NewJobBuilder.attributes(asked), wanted)
        .forEach(it -> all.put(it.getName(), it.getValue()));
    return all;
  }

  private static OarProperties read(String path, String properties) throws JdlRefused {
    try {
      return OarProperties.of(properties);
    } catch (IllegalArgumentException e) {
      throw refused(path, e.getMessage());
    }
  }

  /** The value as a select has it. */
  private String value(String path, String name, String value)
      throws JdlRefused, LinkException, InterruptedException {
    if (!VALUE.matcher(value).matches()) {
      throw refused(path, "a select has no value '" + value + "'");
    }
    ResourceTable table = site.resources();
    Optional<ResourceDefinition> known = table.find(name).filter(ResourceDefinition::onHost);
    if (known.isEmpty()) {
      List<String> names =
          table.definitions().stream()
              .filter(it -> it.onHost() && !it.consumable())
              .map(ResourceDefinition::name)
              .toList();
      throw refused(path, "nodes have no resource " + name + Nearest.hint(name, names));
    }
    if (known.get().consumable()) {
      throw refused(
          path, name + " is used up by jobs; let resources ask for it, as " + name + "=" + value);
    }
    if (known.get().kind() == ResourceKind.BOOLEAN) {
      String flag = FLAGS.get(value.toLowerCase(Locale.ROOT));
      if (flag == null) {
        throw refused(path, name + " is YES or NO, not " + value);
      }
      return flag;
    }
    return value;
  }

  /** The nodes of such a cluster are called HOST@CLUSTER, and are its queue's own. */
  private boolean isOutside(String queue) {
    for (ClusterObject node : site.cluster().all(ObjectKind.NODE)) {
      if (node.getName().indexOf('@') >= 0
          && ClusterView.attribute(node, "queue").equals(Optional.of(queue))) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether a queue's nodes are those of an OAR, which is asked in its own words.
   *
   * @throws QueryException when nobody can be asked
   */
  boolean isOar(String queue) throws QueryException, InterruptedException {
    for (Node node : site.queries().nodes()) {
      boolean own =
          site.cluster()
              .find(ObjectKind.NODE, node.getName())
              .flatMap(it -> ClusterView.attribute(it, "queue"))
              .equals(Optional.of(queue));
      if (own && node.getMeasured().getOrDefault(NodeLoads.OAR, 0L) == 1) {
        return true;
      }
    }
    return false;
  }

  /** The expression as an OAR gets it. */
  static String ofOar(String path, String properties) throws JdlRefused {
    return read(path, properties).text();
  }

  private static JdlRefused refused(String path, String why) {
    return JdlRefused.at(path, "properties: " + why);
  }
}
