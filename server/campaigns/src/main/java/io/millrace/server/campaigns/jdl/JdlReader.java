package io.millrace.server.campaigns.jdl;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonStreamContext;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import io.millrace.schemas.pbs.attributes.Nearest;
import io.millrace.server.campaigns.jdl.CampaignDocument.TaskSupply;
import io.millrace.server.campaigns.jdl.JdlField.JdlFieldPlace;
import io.millrace.server.campaigns.jdl.JdlRefused.Fault;
import io.millrace.server.campaigns.jdl.ValueKind.TasksKind;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Reads a document, once and from front to back. */
public final class JdlReader implements Reading {

  /** Bytes of a document: a million short lines. */
  public static final long BYTES_MAX = 64L << 20;

  /** Whoever has more to mend begins with these. */
  private static final int FAULTS_MAX = 20;

  private static final JsonFactory JSON =
      JsonFactory.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(8)
                  .maxDocumentLength(BYTES_MAX)
                  .maxStringLength(1 << 20)
                  .maxNameLength(4 << 10)
                  .build())
          .build();

  private final JsonParser in;
  private final Consumer<String> tasks;
  private final List<Fault> faults = new ArrayList<>();
  private final Map<String, Map<String, Object>> clusters = new LinkedHashMap<>();

  private JdlReader(JsonParser in, Consumer<String> tasks) {
    this.in = in;
    this.tasks = tasks;
  }

  /**
   * Reads a document.
   *
   * @param tasks told each parameter of the document, in order
   * @throws JdlRefused when it is none
   * @throws IOException when the text cannot be read
   */
  public static CampaignDocument read(InputStream text, Consumer<String> tasks)
      throws JdlRefused, IOException {
    try (JsonParser in = JSON.createParser(text)) {
      return new JdlReader(in, tasks).document();
    }
  }

  /** The same, and keeps what was read. */
  public static CampaignDocument read(InputStream text, Consumer<String> tasks, JdlText kept)
      throws JdlRefused, IOException {
    try (JsonParser in = kept.kept(JSON.createParser(text))) {
      return new JdlReader(in, tasks).document();
    }
  }

  /**
   * Reads a list of parameters that stands alone.
   *
   * @param tasks told each of them, in order
   * @throws JdlRefused when it is none
   * @throws IOException when the text cannot be read
   */
  public static void lines(InputStream text, Consumer<String> tasks)
      throws JdlRefused, IOException {
    try (JsonParser in = JSON.createParser(text)) {
      new JdlReader(in, tasks).list();
    }
  }

  private void list() throws JdlRefused, IOException {
    try {
      if (in.nextToken() == null) {
        throw refused("", "is no JSON list");
      }
      new TasksKind(TextRule.line(), JdlFields.TASKS_MAX).read(this);
      if (in.nextToken() != null) {
        throw refused("", "something stands behind the end of the list");
      }
    } catch (WrongValue e) {
      throw refused(in.getParsingContext().pathAsPointer().toString(), e.getMessage());
    } catch (JsonProcessingException e) {
      throw refused(e);
    }
  }

  private JdlRefused refused(JsonProcessingException e) {
    String where = "line " + in.currentLocation().getLineNr() + ": ";
    String path = in.getParsingContext().pathAsPointer().toString();
    return refused(path, where + Tokens.firstLine(e.getOriginalMessage()));
  }

  /**
   * A line of a file of parameters.
   *
   * @throws JdlRefused when it describes no task
   */
  public static String line(String file, long number, String text) throws JdlRefused {
    try {
      if (number > JdlFields.TASKS_MAX) {
        throw new WrongValue("is one more than the " + JdlFields.TASKS_MAX + " tasks that may be");
      }
      return TextRule.line().checked(text);
    } catch (WrongValue e) {
      throw new JdlRefused(
          List.of(new Fault("/param_file", file + " line " + number + " " + e.getMessage())));
    }
  }

  /**
   * A name of a campaign that stands alone.
   *
   * @throws JdlRefused when it may be none
   */
  public static String name(String text) throws JdlRefused {
    try {
      return TextRule.name().checked(text);
    } catch (WrongValue e) {
      throw JdlRefused.at("/" + JdlFields.NAME, e.getMessage());
    }
  }

  private CampaignDocument document() throws JdlRefused, IOException {
    Map<String, Object> fields = Map.of();
    try {
      if (in.nextToken() != JsonToken.START_OBJECT) {
        throw refused("", "is no JSON object");
      }
      fields = fields(JdlFieldPlace.CAMPAIGN);
      if (in.nextToken() != null) {
        throw refused("", "something stands behind the end of the object");
      }
    } catch (JsonProcessingException e) {
      throw refused(e);
    }
    together(fields);
    if (!faults.isEmpty()) {
      throw new JdlRefused(faults);
    }
    return whole(fields);
  }

  @Override
  public JsonParser parser() {
    return in;
  }

  @Override
  public void task(String parameters) {
    tasks.accept(parameters);
  }

  @Override
  public void cluster(String name) throws IOException, WrongValue {
    if (!in.hasToken(JsonToken.START_OBJECT)) {
      throw new WrongValue("is " + Tokens.words(in) + ", not an object with settings");
    }
    clusters.put(name, fields(JdlFieldPlace.CLUSTER));
  }

  /** Reads an object; what is wrong with one field keeps none of the others from being read. */
  private Map<String, Object> fields(JdlFieldPlace place) throws IOException {
    Map<String, Object> read = new LinkedHashMap<>();
    JsonStreamContext object = in.getParsingContext();
    while (in.nextToken() != JsonToken.END_OBJECT) {
      String name = in.currentName();
      in.nextToken();
      try {
        read.put(name, field(name, place).value().read(this));
      } catch (WrongValue e) {
        fault(in.getParsingContext().pathAsPointer().toString(), e.getMessage());
        leaveTo(object);
      }
    }
    return read;
  }

  private static JdlField field(String name, JdlFieldPlace place) throws WrongValue {
    Optional<JdlField> field = JdlFields.find(name);
    List<JdlField> there =
        place == JdlFieldPlace.CLUSTER ? JdlFields.ofClusters() : JdlFields.all();
    if (field.isEmpty()) {
      List<String> names = there.stream().map(JdlField::name).toList();
      throw new WrongValue("is no field" + Nearest.hint(Tokens.cut(name), names));
    }
    if (!there.contains(field.get())) {
      throw new WrongValue("is a field of the campaign, not of a cluster");
    }
    return field.get();
  }

  /** Goes to the end of the value, however deep in it the reader stands. */
  private void leaveTo(JsonStreamContext object) throws IOException {
    while (in.getParsingContext() != object) {
      in.nextToken();
    }
  }

  /** Rules about several fields. */
  private void together(Map<String, Object> fields) {
    for (String name : List.of(JdlFields.NAME, JdlFields.CLUSTERS)) {
      if (!fields.containsKey(name) && !isFaulty("/" + name)) {
        fault("", "has no '" + name + "'");
      }
    }
    List<String> given =
        JdlFields.SUPPLIES.stream()
            .filter(it -> fields.containsKey(it) || isFaulty("/" + it))
            .toList();
    if (given.isEmpty() && !isFaulty("/" + JdlFields.JOBS_TYPE)) {
      fault("", "has no tasks: it needs one of " + String.join(", ", JdlFields.SUPPLIES));
    } else if (given.size() > 1) {
      fault("/" + given.get(1), "stands beside " + given.get(0) + "; one of them says it all");
    }
    boolean everywhere =
        fields.containsKey(JdlFields.EXEC_FILE) || isFaulty("/" + JdlFields.EXEC_FILE);
    clusters.forEach(
        (name, settings) -> {
          String path = JdlRefused.ofCluster(name);
          if (!everywhere
              && !settings.containsKey(JdlFields.EXEC_FILE)
              && !isFaulty(path + "/" + JdlFields.EXEC_FILE)) {
            fault(path, "has no '" + JdlFields.EXEC_FILE + "', nor has the campaign");
          }
        });
  }

  private boolean isFaulty(String path) {
    return faults.stream()
        .anyMatch(it -> it.path().equals(path) || it.path().startsWith(path + "/"));
  }

  private void fault(String path, String reason) {
    if (faults.size() < FAULTS_MAX) {
      faults.add(new Fault(path.replaceAll("\\p{Cc}", "?"), reason));
    }
  }

  private JdlRefused refused(String path, String reason) {
    fault(path, reason);
    return new JdlRefused(faults);
  }

  private CampaignDocument whole(Map<String, Object> fields) {
    Map<String, Map<String, Object>> settings = new LinkedHashMap<>();
    clusters.forEach((name, own) -> settings.put(name, settings(fields, own)));
    Object params = fields.get(JdlFields.PARAMS);
    Object number = fields.get(JdlFields.NB_JOBS);
    Optional<String> file = Optional.ofNullable((String) fields.get(JdlFields.PARAM_FILE));
    TaskSupply supply =
        params != null ? TaskSupply.PARAMS : number != null ? TaskSupply.NUMBER : TaskSupply.FILE;
    long tasks = params != null ? (Long) params : number != null ? (Long) number : 0;
    return new CampaignDocument((String) fields.get(JdlFields.NAME), supply, tasks, file, settings);
  }

  private static Map<String, Object> settings(
      Map<String, Object> campaign, Map<String, Object> cluster) {
    Map<String, Object> settings = new LinkedHashMap<>();
    for (JdlField field : JdlFields.ofClusters()) {
      String name = field.name();
      Object value =
          cluster.getOrDefault(name, campaign.getOrDefault(name, field.usual().orElse(null)));
      if (value != null) {
        settings.put(name, value);
      }
    }
    return settings;
  }
}
