package io.millrace.schemas.pbs.resources;

import io.millrace.schemas.common.Chunk;
import io.millrace.schemas.common.GridEngineRequest;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.common.ResourceRequest;
import java.util.Map;
import java.util.TreeMap;

/** Class of jobs with the same request, which a scheduler distinguishes only by their order. */
public final class RequestClass {

  /** Class for a Grid Engine scheduler's messages about queue instances, which concern all jobs. */
  public static final String GRID_ENGINE_QUEUES = "gridengine queues";

  private RequestClass() {}

  /** Class of Grid Engine jobs that can be placed in the same places. */
  public static String gridEngine(GridEngineRequest request) {
    return "gridengine;" + request.getCategory();
  }

  /** Class of a single Grid Engine job, for reasons of its own. */
  public static String gridEngineJob(long number) {
    return "gridengine job;" + number;
  }

  /**
   * Class for the numbers of the jobs that a scheduler has told promises of, separated by commas;
   * also the beginning of the keys of {@link #promise}.
   */
  public static final String PROMISES = "promised jobs;";

  /** Class of a single job that is promised a start, for the time and the nodes of the promise. */
  public static String promise(long number) {
    return PROMISES + number;
  }

  /** Class of a single job under a policy that has a reason for each of them (Origin2000). */
  public static String job(long number) {
    return "job;" + number;
  }

  /**
   * Canonical text {@code queue;place;chunks;walltime}: chunks as {@code 2*mem=1024,ncpus=4} joined
   * by +, required properties as {@code @name=value}, walltime in seconds or - for none; then
   * {@code |name=amount} for each resource that the job asks for once. Equal texts if and only if
   * queue and request are equal.
   */
  public static String key(JobSpec spec) {
    return key(spec.getQueue(), spec.getRequest());
  }

  /**
   * Class key where a limit tells owners apart: {@link #key(JobSpec)} followed by {@code
   * ;owner;group;project}.
   */
  public static String ownKey(JobSpec spec) {
    String user = userOf(spec.getOwner());
    return key(spec) + owner(user, spec.getGroup(), spec.getProject());
  }

  /** The owner's part of a key. */
  public static String owner(String user, String group, String project) {
    StringBuilder text = new StringBuilder(32).append(';');
    escaped(text, user).append(';');
    escaped(text, group).append(';');
    return escaped(text, project).toString();
  }

  /** The part of a key that names whose share jobs use. */
  public static String share(String entity) {
    return "/" + entity;
  }

  /** The user of an owner {@code user@host}. */
  public static String userOf(String owner) {
    int at = owner.indexOf('@');
    return at < 0 ? owner : owner.substring(0, at);
  }

  /** Class key of a request in a queue, owners not told apart. */
  public static String key(String queue, ResourceRequest request) {
    StringBuilder text = new StringBuilder(64);
    escaped(text, queue).append(';').append(request.getPlace()).append(';');
    boolean first = true;
    for (Chunk chunk : request.getChunks()) {
      if (!first) {
        text.append('+');
      }
      first = false;
      append(text, chunk);
    }
    text.append(';');
    if (request.getWalltimeS() < 0) {
      text.append('-');
    } else {
      text.append(request.getWalltimeS());
    }
    for (Map.Entry<String, Long> amount : new TreeMap<>(request.getJobWide()).entrySet()) {
      text.append('|').append(amount.getKey()).append('=').append((long) amount.getValue());
    }
    return text.toString();
  }

  private static void append(StringBuilder text, Chunk chunk) {
    text.append(chunk.getCount()).append('*');
    char separator = 0;
    for (Map.Entry<String, Long> amount : new TreeMap<>(chunk.getAmounts()).entrySet()) {
      if (separator != 0) {
        text.append(separator);
      }
      separator = ',';
      text.append(amount.getKey()).append('=').append((long) amount.getValue());
    }
    for (Map.Entry<String, String> match : new TreeMap<>(chunk.getMatches()).entrySet()) {
      if (separator != 0) {
        text.append(separator);
      }
      separator = ',';
      text.append('@').append(match.getKey()).append('=');
      escaped(text, match.getValue());
    }
  }

  private static StringBuilder escaped(StringBuilder text, String value) {
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == ';' || c == '+' || c == ',' || c == '%') {
        text.append('%').append(Integer.toHexString(c));
      } else {
        text.append(c);
      }
    }
    return text;
  }
}
