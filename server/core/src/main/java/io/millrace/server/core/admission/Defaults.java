package io.millrace.server.core.admission;

import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.pbs.resources.ParsedRequest;
import io.millrace.schemas.pbs.resources.RequestException;
import io.millrace.schemas.pbs.resources.RequestParser;
import io.millrace.schemas.pbs.resources.ResourceTable;
import io.millrace.server.core.decision.PbsRefusal;
import io.millrace.server.core.state.Copies;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a job asks for that does not say so itself: the queue's default, else the server's, else,
 * for what no host has, the most that the queue or the server allows. A job with select or nodes
 * gets no defaults of host-level resources. Then each chunk, also the one of a job without select,
 * gets default_chunk for what it does not name, of the queue, else of the server.
 *
 * @param values by resource
 * @param ofChunks by resource
 */
record Defaults(Map<String, String> values, Map<String, String> ofChunks) {
  private static final String PRESET = "resources_default.";
  private static final String OF_CHUNKS = "default_chunk.";
  private static final String MOST = "resources_max.";
  private static final Set<String> CHUNKS = Set.of("select", "nodes");

  static Defaults of(
      Map<String, String> queue, Map<String, String> server, ResourceTable resources) {
    Map<String, String> values = new LinkedHashMap<>();
    Map<String, String> ofChunks = new LinkedHashMap<>();
    for (Map<String, String> of : List.of(queue, server)) {
      of.forEach((name, value) -> take(values, PRESET, name, value));
      of.forEach((name, value) -> take(ofChunks, OF_CHUNKS, name, value));
    }
    for (Map<String, String> of : List.of(queue, server)) {
      of.forEach(
          (name, value) -> {
            boolean ofNoHost =
                name.startsWith(MOST)
                    && resources
                        .find(name.substring(MOST.length()))
                        .map(it -> !it.onHost() && !it.name().equals("nodect"))
                        .orElse(false);
            if (ofNoHost) {
              take(values, MOST, name, value);
            }
          });
    }
    return new Defaults(values, ofChunks);
  }

  private static void take(Map<String, String> values, String prefix, String name, String value) {
    if (name.startsWith(prefix)) {
      values.putIfAbsent(name.substring(prefix.length()), value);
    }
  }

  boolean isEmpty() {
    return values.isEmpty() && ofChunks.isEmpty();
  }

  /**
   * The specification with the defaults added; the same object when there is nothing to add, or
   * when the original request is not known.
   */
  JobSpec applied(JobSpec spec, ResourceTable resources) throws PbsRefusal {
    if (spec.getAsked() == null || spec.getGridEngine() != null) {
      return spec;
    }
    Map<String, Attribute> wanted = new LinkedHashMap<>();
    spec.getAsked().forEach(it -> wanted.put(it.getName(), it));
    boolean chunks = wanted.keySet().stream().anyMatch(CHUNKS::contains);
    values.forEach(
        (name, value) -> {
          boolean host = resources.find(name).map(it -> it.onHost()).orElse(true);
          if (!(chunks && host)) {
            wanted.putIfAbsent(name, new Attribute(name, value));
          }
        });
    try {
      // A name that is no property is a node; the gateway has checked that it exists.
      ParsedRequest request =
          new RequestParser(resources, ofChunks, name -> true).parse(List.copyOf(wanted.values()));
      JobSpec applied = Copies.of(spec);
      applied.setRequest(request.request());
      applied.setResourceList(request.resourceList());
      return applied;
    } catch (RequestException e) {
      throw new PbsRefusal(e.code(), e.getMessage());
    }
  }
}
