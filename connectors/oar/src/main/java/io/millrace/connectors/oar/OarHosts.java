package io.millrace.connectors.oar;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.connectors.bridge.system.OutsideHost;
import io.millrace.connectors.bridge.system.OutsideInventory;
import io.millrace.connectors.bridge.system.Told;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;

/**
 * The hosts of {@code GET /resources/details}: OAR knows resources, of which some belong to a host.
 */
final class OarHosts {

  private OarHosts() {}

  static OarRequest question() {
    return OarRequest.get("/resources/details.json?limit=" + OarQueue.MOST);
  }

  static OarRequest stressQuestion() {
    return OarRequest.get("/stress_factor.json");
  }

  /** What OAR says of its stress; empty where it has no such question, as some versions do. */
  static OptionalDouble stress(OarAnswer answer) {
    return answer.isGood()
        ? OarJson.number(answer.body(), "GLOBAL_STRESS")
        : OptionalDouble.empty();
  }

  /** What was read of the resources of a host. */
  private static final class HostResources {
    private final Set<String> slots = new HashSet<>();
    private final Set<String> usable = new HashSet<>();
    private final Set<String> words = new TreeSet<>();
    private final Map<String, String> fields = new LinkedHashMap<>();

    void take(JsonNode resource, String slot, boolean bestEffort) {
      String unit = OarJson.text(resource, slot.equals(OarKind.RESOURCE) ? "id" : slot);
      boolean drained = OarJson.text(resource, "drain").equals("YES");
      slots.add(unit);
      if (OarJson.text(resource, "state").equals("Alive")
          && !drained
          && !(bestEffort && OarJson.text(resource, "besteffort").equals("NO"))) {
        usable.add(unit);
      }
      words.add(OarJson.text(resource, "state") + (drained ? "+drain" : ""));
      if (fields.isEmpty()) {
        resource.fieldNames().forEachRemaining(it -> fields.put(it, OarJson.text(resource, it)));
      }
    }

    OutsideHost host(String name) {
      // OAR knows no memory unless a site has made a property of it, which any name may have.
      return new OutsideHost(
          name,
          !usable.isEmpty(),
          String.join(",", words),
          usable.isEmpty() ? slots.size() : usable.size(),
          -1,
          fields);
    }
  }

  /**
   * Reads what the API has said.
   *
   * @param slot the property of which a processor is a value
   * @param bestEffort whether only resources count that best-effort jobs may have
   */
  static Told<OutsideInventory> read(OarAnswer answer, String slot, boolean bestEffort) {
    Map<String, HostResources> hosts = new LinkedHashMap<>();
    List<String> wrong = new ArrayList<>();
    Optional<String> trouble =
        OarJson.items(
            answer,
            OarQueue.MOST,
            resource -> {
              String name = OarJson.text(resource, "network_address");
              if (name.isEmpty() || !OarJson.text(resource, "type").equals("default")) {
                return;
              }
              if (!resource.has(slot.equals(OarKind.RESOURCE) ? "id" : slot)) {
                wrong.add("resources have no property " + slot + "; set 'slot' to one that is one");
              }
              hosts
                  .computeIfAbsent(name, it -> new HostResources())
                  .take(resource, slot, bestEffort);
            });
    Optional<String> why = trouble.or(() -> wrong.stream().findFirst());
    if (why.isPresent() || hosts.isEmpty()) {
      return Told.nothing("resources: " + why.orElse("there are none that belong to a host"));
    }
    List<OutsideHost> all = new ArrayList<>();
    hosts.forEach((name, resources) -> all.add(resources.host(name)));
    // The API tells no queues.
    return Told.of(new OutsideInventory(all, List.of()));
  }
}
