package io.millrace.ops.origin2000;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** What differs between what was recorded and what we find, a line for each field. */
final class CaseDifferences {

  /** About the recording itself; and messages, for which we have our own words. */
  private static final Set<String> NOT_COMPARED =
      Set.of("produced_by", "note", "exit_status", "log");

  private static final JsonNode NOTHING = CaseJson.MAPPER.missingNode();

  private final List<String> lines = new ArrayList<>();

  private CaseDifferences() {}

  static List<String> between(JsonNode recorded, JsonNode ours) {
    CaseDifferences differences = new CaseDifferences();
    differences.compare("", recorded, ours);
    return differences.lines;
  }

  private void compare(String place, JsonNode recorded, JsonNode ours) {
    if (recorded.isObject() && ours.isObject()) {
      Set<String> keys = new TreeSet<>();
      recorded.fieldNames().forEachRemaining(keys::add);
      ours.fieldNames().forEachRemaining(keys::add);
      keys.removeAll(NOT_COMPARED);
      keys.forEach(key -> compare(join(place, key), recorded.path(key), ours.path(key)));
    } else if (recorded.isArray() && ours.isArray()) {
      for (int i = 0; i < Math.max(recorded.size(), ours.size()); i++) {
        compare(place + "[" + i + "]", item(recorded, i), item(ours, i));
      }
    } else if (!same(recorded, ours)) {
      lines.add(place + ": recorded " + shown(recorded) + ", ours " + shown(ours));
    }
  }

  private static JsonNode item(JsonNode list, int place) {
    return place < list.size() ? list.get(place) : NOTHING;
  }

  private static String join(String place, String key) {
    return place.isEmpty() ? key : place + "." + key;
  }

  private static boolean same(JsonNode recorded, JsonNode ours) {
    return recorded.isNumber() && ours.isNumber()
        ? recorded.decimalValue().compareTo(ours.decimalValue()) == 0
        : recorded.equals(ours);
  }

  private static String shown(JsonNode node) {
    return node.isMissingNode() ? "nothing" : node.toString();
  }
}
