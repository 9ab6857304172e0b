package io.millrace.server.campaigns.ask;

import io.millrace.schemas.NodeLoads;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.oar.OarAsked;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which nodes will do for the tasks of a campaign. OAR asks its database; here each condition is
 * one more word in each chunk of the select.
 */
final class NodeProperties {

  /** The form as a whole is checked where a description is read. */
  private static final Pattern CONDITION =
      Pattern.compile("([A-Za-z][\\w-]*)\\s*=\\s*['\"]?([^'\"\\s]+)");

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
    Matcher conditions = CONDITION.matcher(properties);
    while (conditions.find()) {
      String name = NAMES.getOrDefault(conditions.group(1), conditions.group(1));
      String value = value(path, name, conditions.group(2));
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

  /** The value as a select has it. */
  private String value(String path, String name, String value)
      throws JdlRefused, LinkException, InterruptedException {
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

  /** The same conditions as an OAR has them. */
  static String ofOar(String path, String properties) throws JdlRefused {
    List<String> all = new ArrayList<>();
    Matcher conditions = CONDITION.matcher(properties);
    while (conditions.find()) {
      all.add(conditions.group(1) + " = '" + conditions.group(2) + "'");
    }
    String text = String.join(" AND ", all);
    if (!OarAsked.areConditions(text)) {
      throw refused(path, "an OAR is asked for NAME = 'VALUE', several with AND");
    }
    return text;
  }

  private static JdlRefused refused(String path, String why) {
    return JdlRefused.at(path, "properties: " + why);
  }
}
