package io.millrace.schedulers.dialects.schedconfig.replay;

import io.millrace.schedulers.gridengine.language.options.ConfigurationRefused;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.Chunk;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.common.ResourceRequest;
import io.millrace.schemas.pbs.resources.Amounts;
import io.millrace.schemas.pbs.resources.RequestException;
import io.millrace.schemas.pbs.resources.RequestParser;
import io.millrace.schemas.pbs.resources.ResourceDefinition;
import io.millrace.schemas.pbs.resources.ResourceKind;
import io.millrace.schemas.pbs.resources.ResourceTable;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/** Turns a recorded qsub into a job. */
final class SiteSubmission {

  /** First groups of the users of the recordings; others have one of their own name. */
  private static final Map<String, String> GROUPS =
      Map.of("u1", "g1", "u2", "g1", "u3", "g2", "u4", "g3");

  private static final String NO_PROJECT = "_pbs_project_default";

  private final ResourceTable resources;
  private final String defaultQueue;
  private final Predicate<String> compared;

  /**
   * @param compared true for resources that nodes are asked about
   */
  SiteSubmission(ResourceTable resources, String defaultQueue, Predicate<String> compared) {
    this.resources = resources;
    this.defaultQueue = defaultQueue;
    this.compared = compared;
  }

  JobSpec spec(SiteStep step) {
    List<Attribute> asked = new ArrayList<>();
    String queue = defaultQueue;
    String account = "";
    String project = NO_PROJECT;
    int priority = 0;
    for (int i = 0; i < step.words().size(); i++) {
      String option = step.words().get(i);
      if (i + 1 == step.words().size()) {
        throw refused(step, option + " has no value");
      }
      String value = step.words().get(++i);
      switch (option) {
        case "-q" -> queue = value;
        case "-A" -> account = value;
        case "-P" -> project = value;
        case "-p" -> priority = number(step, value);
        case "-l" -> asked.addAll(resourceList(step, value));
        case "-N", "-o", "-e", "-j" -> {
          // Where output goes changes nothing about when a job starts.
        }
        default ->
            throw refused(
                step, "qsub's option " + option + " is not played: -q, -A, -P, -p and -l are");
      }
    }
    return JobSpec.newBuilder()
        .setName(step.name())
        .setOwner(step.user() + "@pbs1")
        .setGroup(GROUPS.getOrDefault(step.user(), step.user()))
        .setSubmitHost("pbs1")
        .setQueue(queue)
        .setAccount(account)
        .setProject(project)
        .setPriority(priority)
        .setRequest(request(step, asked))
        .setResourceList(List.of())
        .setOutputPath("")
        .setErrorPath("")
        .setVariables(List.of())
        .setScriptHash(ByteBuffer.allocate(0))
        .setArgv(List.of())
        .setExtra(List.of())
        .build();
  }

  private static int number(SiteStep step, String value) {
    if (!value.matches("-?\\d{1,4}")) {
      throw refused(step, "-p is '" + value + "', but must be a whole number");
    }
    return Integer.parseInt(value);
  }

  private static List<Attribute> resourceList(SiteStep step, String value) {
    List<Attribute> list = new ArrayList<>();
    for (String word : value.split(",")) {
      int equals = word.indexOf('=');
      if (equals <= 0) {
        throw refused(step, "-l is '" + value + "', but must be RESOURCE=AMOUNT");
      }
      list.add(new Attribute(word.substring(0, equals), word.substring(equals + 1)));
    }
    return list;
  }

  private ResourceRequest request(SiteStep step, List<Attribute> asked) {
    try {
      ResourceRequest request = matching(new RequestParser(resources).parse(asked).request());
      Map<String, Long> ofJob = ofJob(asked);
      return ofJob.isEmpty() ? request : with(request, ofJob);
    } catch (RequestException e) {
      throw refused(step, e.getMessage());
    }
  }

  /** The request without properties that nodes are not asked about. */
  private ResourceRequest matching(ResourceRequest request) {
    List<Chunk> chunks = new ArrayList<>();
    for (Chunk chunk : request.getChunks()) {
      Map<String, String> matches = new TreeMap<>(chunk.getMatches());
      matches.keySet().removeIf(compared.negate());
      chunks.add(new Chunk(chunk.getCount(), chunk.getAmounts(), matches));
    }
    return new ResourceRequest(chunks, request.getPlace(), request.getWalltimeS(), Map.of());
  }

  /** Amounts for the whole job of resources that are not of hosts. */
  private Map<String, Long> ofJob(List<Attribute> asked) throws RequestException {
    Map<String, Long> amounts = new TreeMap<>();
    for (Attribute attribute : asked) {
      ResourceDefinition resource = resources.find(attribute.getName()).orElseThrow();
      if (!resource.onHost()
          && resource.kind() != ResourceKind.STRING
          && !resource.name().equals("walltime")) {
        amounts.put(resource.name(), Amounts.parse(resource, attribute.getValue()));
      }
    }
    return amounts;
  }

  /**
   * The request with amounts that the job asks for once: they stand in its first chunk, which is
   * one of its own then, and no node is asked for them.
   */
  private static ResourceRequest with(ResourceRequest request, Map<String, Long> ofJob) {
    List<Chunk> chunks = new ArrayList<>();
    Chunk first = request.getChunks().get(0);
    Map<String, Long> amounts = new TreeMap<>(first.getAmounts());
    amounts.putAll(ofJob);
    chunks.add(new Chunk(1, amounts, first.getMatches()));
    if (first.getCount() > 1) {
      chunks.add(new Chunk(first.getCount() - 1, first.getAmounts(), first.getMatches()));
    }
    chunks.addAll(request.getChunks().subList(1, request.getChunks().size()));
    return new ResourceRequest(chunks, request.getPlace(), request.getWalltimeS(), Map.of());
  }

  private static ConfigurationRefused refused(SiteStep step, String reason) {
    return new ConfigurationRefused("steps.json", 0, "job " + step.name() + ": " + reason);
  }
}
