package io.millrace.schemas.registry;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.avro.Schema;
import org.apache.avro.SchemaParseException;

/**
 * A registry that speaks Confluent's REST protocol. Schemas are cached by id, since an id never
 * changes its schema.
 */
public final class ConfluentRegistry implements SchemaRegistry {

  private static final String MEDIA_TYPE = "application/vnd.schemaregistry.v1+json";
  private static final int CONNECT_TIMEOUT_MS = 5_000;
  private static final int READ_TIMEOUT_MS = 15_000;
  private static final int ANSWER_BYTES_MAX = 16 << 20;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final URI base;
  private final Map<Integer, Schema> known = new ConcurrentHashMap<>();

  /**
   * @param base for example {@code http://registry:8081} or {@code http://user:password@host/path}
   */
  public ConfluentRegistry(URI base) {
    String text = base.toString();
    this.base = text.endsWith("/") ? URI.create(text.substring(0, text.length() - 1)) : base;
    if (base.getHost() == null || !List.of("http", "https").contains(base.getScheme())) {
      throw new IllegalArgumentException(
          "a schema registry is named by its URL, for example http://host:8081, not " + base);
    }
  }

  @Override
  public int register(String subject, Schema schema) throws RegistryException {
    return call("POST", "/subjects/" + encoded(subject) + "/versions", body(schema))
        .path("id")
        .asInt();
  }

  @Override
  public Optional<RegisteredSchema> lookUp(String subject, Schema schema) throws RegistryException {
    return found("POST", "/subjects/" + encoded(subject), body(schema))
        .map(ConfluentRegistry::registered);
  }

  @Override
  public Optional<Schema> byId(int id) throws RegistryException {
    Schema schema = known.get(id);
    if (schema != null) {
      return Optional.of(schema);
    }
    Optional<Schema> found =
        found("GET", "/schemas/ids/" + id, null).map(answer -> parse(answer.path("schema")));
    found.ifPresent(s -> known.put(id, s));
    return found;
  }

  @Override
  public List<String> subjects() throws RegistryException {
    List<String> subjects = new ArrayList<>();
    call("GET", "/subjects", null).forEach(s -> subjects.add(s.asText()));
    return subjects.stream().sorted().toList();
  }

  @Override
  public List<Integer> versions(String subject) throws RegistryException {
    List<Integer> versions = new ArrayList<>();
    found("GET", "/subjects/" + encoded(subject) + "/versions", null)
        .ifPresent(answer -> answer.forEach(v -> versions.add(v.asInt())));
    return versions;
  }

  @Override
  public Optional<RegisteredSchema> version(String subject, int version) throws RegistryException {
    return found("GET", "/subjects/" + encoded(subject) + "/versions/" + version, null)
        .map(ConfluentRegistry::registered);
  }

  @Override
  public boolean compatible(String subject, Schema schema) throws RegistryException {
    return found(
            "POST",
            "/compatibility/subjects/" + encoded(subject) + "/versions/latest",
            body(schema))
        .map(answer -> answer.path("is_compatible").asBoolean())
        .orElse(true);
  }

  @Override
  public CompatibilityLevel compatibility() throws RegistryException {
    return level(call("GET", "/config", null).path("compatibilityLevel").asText());
  }

  @Override
  public void setCompatibility(CompatibilityLevel level) throws RegistryException {
    call("PUT", "/config", JSON.createObjectNode().put("compatibility", level.name()).toString());
  }

  @Override
  public void close() {}

  private CompatibilityLevel level(String text) throws RegistryException {
    try {
      return CompatibilityLevel.valueOf(text);
    } catch (IllegalArgumentException e) {
      throw new RegistryException(
          "schema registry " + shown() + " has the unknown compatibility level " + text, e);
    }
  }

  private static RegisteredSchema registered(JsonNode answer) {
    return RegisteredSchema.of(
        answer.path("subject").asText(),
        answer.path("version").asInt(),
        answer.path("id").asInt(),
        parse(answer.path("schema")));
  }

  private static Schema parse(JsonNode text) {
    return SchemaText.parse(text.asText());
  }

  private static String body(Schema schema) {
    return JSON.createObjectNode().put("schema", SchemaText.of(schema)).toString();
  }

  private static String encoded(String subject) {
    return URLEncoder.encode(subject, StandardCharsets.UTF_8).replace("+", "%20");
  }

  /** The registry's answer; empty when the subject, version or schema does not exist. */
  private Optional<JsonNode> found(String method, String path, String body)
      throws RegistryException {
    try {
      return Optional.of(call(method, path, body));
    } catch (RegistryException e) {
      if (e.status() == 404) {
        return Optional.empty();
      }
      throw e;
    } catch (SchemaParseException e) {
      throw new RegistryException("schema registry " + shown() + ": " + e.getMessage(), e);
    }
  }

  private JsonNode call(String method, String path, String body) throws RegistryException {
    HttpURLConnection connection = null;
    try {
      connection = (HttpURLConnection) URI.create(address() + path).toURL().openConnection();
      connection.setRequestMethod(method);
      connection.setConnectTimeout(CONNECT_TIMEOUT_MS);
      connection.setReadTimeout(READ_TIMEOUT_MS);
      connection.setRequestProperty("Accept", MEDIA_TYPE + ", application/json");
      if (base.getRawUserInfo() != null) {
        String user = base.getUserInfo();
        connection.setRequestProperty(
            "Authorization",
            "Basic " + Base64.getEncoder().encodeToString(user.getBytes(StandardCharsets.UTF_8)));
      }
      if (body != null) {
        connection.setDoOutput(true);
        connection.setRequestProperty("Content-Type", MEDIA_TYPE);
        try (OutputStream out = connection.getOutputStream()) {
          out.write(body.getBytes(StandardCharsets.UTF_8));
        }
      }
      return answer(method, path, connection);
    } catch (IOException e) {
      throw new RegistryException(
          "schema registry " + shown() + " cannot be reached: " + oneLine(e.toString()), e);
    }
  }

  /** Reads the whole answer, so that the connection can be reused. */
  private JsonNode answer(String method, String path, HttpURLConnection connection)
      throws IOException, RegistryException {
    int status = connection.getResponseCode();
    byte[] bytes;
    try (InputStream in =
        status >= 400 ? connection.getErrorStream() : connection.getInputStream()) {
      bytes = in == null ? new byte[0] : in.readNBytes(ANSWER_BYTES_MAX);
    }
    JsonNode answer;
    try {
      answer = JSON.readTree(bytes);
    } catch (JsonProcessingException e) {
      throw new RegistryException(
          status,
          "schema registry "
              + shown()
              + " answered "
              + method
              + " "
              + path
              + " with status "
              + status
              + " and no JSON");
    }
    if (status < 400) {
      return answer;
    }
    int code = answer.path("error_code").asInt(status);
    throw new RegistryException(
        code,
        "schema registry "
            + shown()
            + " refused "
            + method
            + " "
            + path
            + ": "
            + code
            + " "
            + oneLine(answer.path("message").asText("no message")));
  }

  private static String oneLine(String text) {
    return text.replaceAll("\\s+", " ").strip();
  }

  private String address() {
    return base.getScheme() + "://" + hostAndPath();
  }

  private String hostAndPath() {
    String port = base.getPort() < 0 ? "" : ":" + base.getPort();
    return base.getHost() + port + base.getRawPath();
  }

  /** The registry's address without its password, for messages. */
  private String shown() {
    return address();
  }
}
