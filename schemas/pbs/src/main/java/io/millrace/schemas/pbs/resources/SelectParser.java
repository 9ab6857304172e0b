package io.millrace.schemas.pbs.resources;

import io.millrace.schemas.common.Chunk;
import io.millrace.schemas.pbs.PbsError;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Reads {@code [N:]res=value[:res=value...][+...]}. */
final class SelectParser {

  /** Most chunks that one job may ask for; a cycle looks at each of them. */
  static final int CHUNKS_MAX = 10_000;

  private static final String WHERE = "Resource_List.select";
  private static final Pattern COUNT = Pattern.compile("\\d{1,9}");

  private final ResourceTable table;
  private final Map<String, String> defaults;

  /**
   * @param defaults defaults for resources that a chunk does not name
   */
  SelectParser(ResourceTable table, Map<String, String> defaults) {
    this.table = table;
    this.defaults = defaults;
  }

  List<Chunk> parse(String select) throws RequestException {
    if (select.isEmpty()) {
      throw RequestException.badValue(WHERE);
    }
    List<Chunk> chunks = new ArrayList<>();
    long count = 0;
    for (String text : select.split("\\+", -1)) {
      Chunk chunk = chunk(text);
      count += chunk.getCount();
      chunks.add(chunk);
    }
    if (count > CHUNKS_MAX) {
      throw RequestException.badValue(WHERE);
    }
    return chunks;
  }

  /** The {@code res=value} words of one chunk, by resource name. */
  static TreeMap<String, String> words(String text) throws RequestException {
    TreeMap<String, String> words = new TreeMap<>();
    for (String word : text.split(":", -1)) {
      int equals = word.indexOf('=');
      if (equals < 1 || equals == word.length() - 1) {
        throw RequestException.badValue(WHERE);
      }
      if (words.put(word.substring(0, equals), word.substring(equals + 1)) != null) {
        throw new RequestException(PbsError.TWICE_IN_CHUNK, word.substring(0, equals));
      }
    }
    return words;
  }

  private Chunk chunk(String text) throws RequestException {
    int colon = text.indexOf(':');
    String head = colon < 0 ? text : text.substring(0, colon);
    int count = 1;
    TreeMap<String, String> words;
    if (COUNT.matcher(head).matches()) {
      count = Integer.parseInt(head);
      if (count == 0) {
        throw RequestException.badValue("");
      }
      words = colon < 0 ? new TreeMap<>() : words(text.substring(colon + 1));
    } else {
      words = words(text);
    }
    defaults.forEach(words::putIfAbsent);
    TreeMap<String, Long> amounts = new TreeMap<>();
    TreeMap<String, String> matches = new TreeMap<>();
    for (var word : words.entrySet()) {
      ResourceDefinition resource = resource(word.getKey());
      String where = "select." + resource.name();
      if (resource.consumable()) {
        amounts.put(resource.name(), Amounts.parse(resource, word.getValue(), where));
      } else if (resource.kind() == ResourceKind.STRING) {
        matches.put(resource.name(), word.getValue());
      } else {
        long value = Amounts.parse(resource, word.getValue(), where);
        matches.put(resource.name(), Amounts.format(resource, value));
      }
    }
    amounts.putIfAbsent("ncpus", 1L);
    return new Chunk(count, amounts, matches);
  }

  private ResourceDefinition resource(String name) throws RequestException {
    Optional<ResourceDefinition> known = table.find(name);
    if (known.isEmpty()) {
      throw new RequestException(PbsError.UNKNOWN_RESOURCE, ": " + name);
    }
    if (!known.get().onHost()) {
      throw new RequestException(PbsError.INVALID_IN_SELECT, ": " + name);
    }
    return known.get();
  }
}
