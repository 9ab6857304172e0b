package io.millrace.schemas.pbs.resources;

import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.Chunk;
import io.millrace.schemas.common.ResourceRequest;
import io.millrace.schemas.pbs.PbsError;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Parses the resources of {@code -l}: a select with place, job-wide amounts, which become one chunk
 * as in PBS, or the old {@code nodes=}. Immutable.
 */
public final class RequestParser {

  private static final String LIST = "Resource_List.";

  private final ResourceTable table;
  private final SelectParser selects;
  private final NodesParser nodesForm;

  /** A parser for a cluster without known nodes. */
  public RequestParser(ResourceTable table) {
    this(table, Map.of(), name -> false);
  }

  /**
   * @param ofChunks defaults for resources that a chunk does not name; the displayed select leaves
   *     them out, the displayed sums include them
   * @param nodes true for the name of a node, which {@code nodes=} may contain
   */
  public RequestParser(ResourceTable table, Map<String, String> ofChunks, Predicate<String> nodes) {
    this.table = table;
    this.selects = new SelectParser(table, ofChunks);
    this.nodesForm = new NodesParser(table, nodes);
  }

  private void checkPlace(String place) throws RequestException {
    Optional<PlaceRequest> placement = PlaceRequest.parse(place);
    String group = placement.map(PlaceRequest::group).orElse("");
    boolean text =
        group.isEmpty()
            || table.find(group).map(it -> it.kind() == ResourceKind.STRING).orElse(false);
    if (placement.isEmpty() || !text) {
      throw RequestException.badValue(LIST + "place");
    }
  }

  /**
   * Parses a resource list; of two values for one name the later one counts.
   *
   * @throws RequestException with PBS's text and code for what PBS refuses
   */
  public ParsedRequest parse(List<Attribute> resourceList) throws RequestException {
    TreeMap<String, String> wanted = new TreeMap<>();
    for (Attribute attribute : resourceList) {
      wanted.put(attribute.getName(), attribute.getValue());
    }
    wanted.remove("nodect");
    TreeMap<String, String> onHost = checkJobWide(wanted);
    checkPlace(wanted.getOrDefault("place", ""));
    String select = wanted.get("select");
    String nodes = wanted.get("nodes");
    if (nodes != null && (select != null || wanted.containsKey("place"))) {
      throw new RequestException(PbsError.NODES_BESIDE_SELECT, "nodes");
    }
    if (!onHost.isEmpty() && (select != null || wanted.containsKey("place"))) {
      throw besideSelect(onHost.firstKey());
    }
    if (select == null && wanted.containsKey("place")) {
      throw new RequestException(PbsError.PLACE_WITHOUT_SELECT, "");
    }
    String defaultPlace = "free";
    if (nodes != null) {
      select = nodesForm.toSelect(nodes, onHost);
      defaultPlace = NodesParser.place(nodes);
    } else if (select == null) {
      select = selectOf(onHost);
      defaultPlace = "pack";
    }
    String place = wanted.getOrDefault("place", defaultPlace);
    return finish(wanted, select, place);
  }

  /**
   * A resource list that asks for the same, on nodes that show these values, too.
   *
   * @param resourceList as for {@link #parse}
   * @param shown values by the names of resources that are not used up
   * @throws RequestException with PBS's text and code for what PBS refuses
   */
  public List<Attribute> onNodes(List<Attribute> resourceList, Map<String, String> shown)
      throws RequestException {
    TreeMap<String, String> wanted = new TreeMap<>();
    resourceList.forEach(it -> wanted.put(it.getName(), it.getValue()));
    TreeMap<String, String> parsed = new TreeMap<>();
    parse(resourceList).resourceList().forEach(it -> parsed.put(it.getName(), it.getValue()));
    wanted.keySet().removeAll(checkJobWide(wanted).keySet());
    wanted.remove("nodes");
    StringBuilder more = new StringBuilder();
    shown.forEach((name, value) -> more.append(':').append(name).append('=').append(value));
    wanted.put("select", parsed.get("select").replace("+", more + "+") + more);
    wanted.put("place", parsed.get("place"));
    List<Attribute> all = new ArrayList<>();
    wanted.forEach((name, value) -> all.add(new Attribute(name, value)));
    parse(all);
    return all;
  }

  /**
   * Request after {@code qalter -l}: resources that are not named stay.
   *
   * @param current Resource_List of the job as this parser made it
   * @param changes what stands behind -l
   */
  public ParsedRequest alter(List<Attribute> current, List<Attribute> changes)
      throws RequestException {
    TreeMap<String, String> kept = new TreeMap<>();
    for (Attribute attribute : current) {
      kept.put(attribute.getName(), attribute.getValue());
    }
    TreeMap<String, String> changed = new TreeMap<>();
    for (Attribute attribute : changes) {
      changed.put(attribute.getName(), attribute.getValue());
    }
    TreeMap<String, String> changedOnHost = checkJobWide(changed);
    String select = kept.getOrDefault("select", "1:ncpus=1");
    // Sums over all chunks follow from the select; they are not requests of their own.
    kept.keySet().removeIf(name -> table.find(name).map(this::isJobWideHost).orElse(false));
    kept.remove("nodect");
    if (changed.containsKey("select") || changed.containsKey("nodes")) {
      kept.remove("select");
      kept.remove("place");
      kept.remove("nodes");
    } else if (!changedOnHost.isEmpty()) {
      kept.remove("nodes");
      List<Chunk> chunks = selects.parse(select);
      if (chunks.size() != 1 || chunks.get(0).getCount() != 1) {
        throw besideSelect(changedOnHost.firstKey());
      }
      TreeMap<String, String> one = SelectParser.words(select.substring(select.indexOf(':') + 1));
      one.putAll(changedOnHost);
      kept.put("select", selectOf(one));
      changed.keySet().removeAll(changedOnHost.keySet());
    } else if (changed.containsKey("place")) {
      kept.remove("nodes");
    }
    if (kept.containsKey("nodes")) {
      kept.remove("select");
      kept.remove("place");
    }
    kept.putAll(changed);
    List<Attribute> merged = new ArrayList<>();
    kept.forEach((name, value) -> merged.add(new Attribute(name, value)));
    return parse(merged);
  }

  /** Checks names and values of job-wide resources; returns those that go into a chunk. */
  private TreeMap<String, String> checkJobWide(Map<String, String> wanted) throws RequestException {
    TreeMap<String, String> onHost = new TreeMap<>();
    for (Map.Entry<String, String> entry : wanted.entrySet()) {
      String name = entry.getKey();
      Optional<ResourceDefinition> known = table.find(name);
      if (known.isEmpty()) {
        throw new RequestException(PbsError.UNKNOWN_RESOURCE, " " + LIST + name);
      }
      ResourceDefinition resource = known.get();
      if (resource.kind() != ResourceKind.STRING) {
        Amounts.parse(resource, entry.getValue());
      } else if (entry.getValue().isEmpty()) {
        throw RequestException.badValue(LIST + name);
      }
      if (isJobWideHost(resource)) {
        onHost.put(name, entry.getValue());
      }
    }
    return onHost;
  }

  private boolean isJobWideHost(ResourceDefinition resource) {
    return resource.onHost();
  }

  private static RequestException besideSelect(String resource) {
    return new RequestException(PbsError.NOT_BESIDE_SELECT, resource);
  }

  private static String selectOf(TreeMap<String, String> onHost) {
    TreeMap<String, String> chunk = new TreeMap<>(onHost);
    chunk.putIfAbsent("ncpus", "1");
    StringBuilder text = new StringBuilder("1");
    chunk.forEach((name, value) -> text.append(':').append(name).append('=').append(value));
    return text.toString();
  }

  private ParsedRequest finish(TreeMap<String, String> wanted, String select, String place)
      throws RequestException {
    List<Chunk> chunks = selects.parse(select);
    TreeMap<String, Long> sums = new TreeMap<>();
    long count = 0;
    for (Chunk chunk : chunks) {
      count += chunk.getCount();
      for (Map.Entry<String, Long> amount : chunk.getAmounts().entrySet()) {
        try {
          long product = Math.multiplyExact(amount.getValue(), (long) chunk.getCount());
          sums.merge(amount.getKey(), product, Math::addExact);
        } catch (ArithmeticException e) {
          throw RequestException.badValue("select." + amount.getKey());
        }
      }
    }
    TreeMap<String, String> shown = new TreeMap<>();
    for (Map.Entry<String, String> entry : wanted.entrySet()) {
      shown.put(entry.getKey(), canonical(entry.getKey(), entry.getValue()));
    }
    for (Map.Entry<String, Long> sum : sums.entrySet()) {
      table
          .find(sum.getKey())
          .ifPresent(it -> shown.put(it.name(), Amounts.format(it, sum.getValue())));
    }
    shown.put("nodect", Long.toString(count));
    shown.put("select", select);
    shown.put("place", place);
    long walltimeS = -1;
    if (wanted.containsKey("walltime")) {
      walltimeS = Amounts.parse(table.find("walltime").orElseThrow(), wanted.get("walltime"));
    }
    List<Attribute> list = new ArrayList<>();
    shown.forEach((name, value) -> list.add(new Attribute(name, value)));
    return new ParsedRequest(new ResourceRequest(chunks, place, walltimeS, jobWide(wanted)), list);
  }

  /** Amounts that the job asks for once, of resources that an administrator made for no host. */
  private Map<String, Long> jobWide(Map<String, String> wanted) throws RequestException {
    Map<String, Long> amounts = new TreeMap<>();
    for (Map.Entry<String, String> entry : wanted.entrySet()) {
      ResourceDefinition resource = table.find(entry.getKey()).orElseThrow();
      if (resource.kind().numeric()
          && !resource.onHost()
          && !ResourceTable.isBuiltIn(resource.name())) {
        long amount = Amounts.parse(resource, entry.getValue());
        if (amount < 0) {
          throw RequestException.badValue(LIST + resource.name());
        }
        amounts.put(resource.name(), amount);
      }
    }
    return amounts;
  }

  private String canonical(String name, String value) throws RequestException {
    ResourceDefinition resource = table.find(name).orElseThrow();
    if (resource.kind() == ResourceKind.STRING) {
      return value;
    }
    return Amounts.format(resource, Amounts.parse(resource, value));
  }
}
