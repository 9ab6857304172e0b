package io.millrace.schemas.registry;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers Confluent's REST calls on loopback from any {@link SchemaRegistry}. Read-only when asked
 * to be: there is no login on loopback, and the schemas of a cluster are registered when it is
 * initialised. Registering what is there already is answered with its id all the same, because
 * Confluent's serializers always ask that way.
 */
public final class RegistryServer implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(RegistryServer.class);
  private static final String MEDIA_TYPE = "application/vnd.schemaregistry.v1+json";
  private static final int REQUEST_BYTES_MAX = 1 << 20;
  private static final int THREADS = 2;
  private static final int WAITING_MAX = 64;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final SchemaRegistry registry;
  private final boolean readOnly;
  private final HttpServer http;
  private final ThreadPoolExecutor threads;

  /**
   * @param port 0 for any free one
   */
  public RegistryServer(SchemaRegistry registry, int port, boolean readOnly) throws IOException {
    this.registry = registry;
    this.readOnly = readOnly;
    this.threads =
        new ThreadPoolExecutor(
            THREADS,
            THREADS,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(WAITING_MAX),
            task -> {
              Thread thread = new Thread(task, "schema-registry");
              thread.setDaemon(true);
              return thread;
            },
            new ThreadPoolExecutor.CallerRunsPolicy());
    // Head and body go out in two writes; with Nagle's rule the second waits 40 ms for an
    // acknowledgement. The JDK's server knows this switch only.
    System.setProperty("sun.net.httpserver.nodelay", "true");
    this.http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    http.setExecutor(threads);
    http.createContext("/", this::handle);
    http.start();
  }

  public URI uri() {
    return URI.create("http://127.0.0.1:" + http.getAddress().getPort());
  }

  @Override
  public void close() {
    http.stop(0);
    threads.shutdownNow();
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      try {
        send(exchange, 200, answer(exchange));
      } catch (RegistryException e) {
        send(exchange, e.status() == 0 ? 500 : e.status(), error(e));
      } catch (RuntimeException e) {
        LOG.error("{} {} failed", exchange.getRequestMethod(), exchange.getRequestURI(), e);
        send(exchange, 500, error(new RegistryException(50001, "internal error: see the log")));
      }
    }
  }

  private static ObjectNode error(RegistryException e) {
    return JSON.createObjectNode()
        .put("error_code", e.code() == 0 ? 50001 : e.code())
        .put("message", e.getMessage());
  }

  private static void send(HttpExchange exchange, int status, JsonNode body) throws IOException {
    byte[] bytes = body.toString().getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", MEDIA_TYPE);
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  private JsonNode answer(HttpExchange exchange) throws IOException, RegistryException {
    List<String> path =
        Arrays.stream(exchange.getRequestURI().getRawPath().split("/"))
            .filter(part -> !part.isEmpty())
            .map(part -> URLDecoder.decode(part, StandardCharsets.UTF_8))
            .toList();
    String method = exchange.getRequestMethod();
    return switch (path.isEmpty() ? "" : path.get(0)) {
      case "" -> JSON.createObjectNode();
      case "subjects" -> subjects(method, path, exchange);
      case "schemas" -> schemas(method, path);
      case "compatibility" -> compatibility(method, path, exchange);
      case "config" -> config(method, path, exchange);
      case "mode" -> JSON.createObjectNode().put("mode", readOnly ? "READONLY" : "READWRITE");
      default -> throw noSuchCall(method, path);
    };
  }

  private static RegistryException noSuchCall(String method, List<String> path) {
    return new RegistryException(404, "no such call: " + method + " /" + String.join("/", path));
  }

  private static RegistryException noSubject(String subject) {
    return new RegistryException(40401, "Subject '" + subject + "' not found.");
  }

  private JsonNode subjects(String method, List<String> path, HttpExchange exchange)
      throws IOException, RegistryException {
    boolean get = method.equals("GET");
    boolean post = method.equals("POST");
    if (get && path.size() == 1) {
      return JSON.valueToTree(registry.subjects());
    }
    if (post && path.size() == 2) {
      return lookUp(path.get(1), schema(exchange));
    }
    if (path.size() >= 3 && path.get(2).equals("versions")) {
      String subject = path.get(1);
      if (post && path.size() == 3) {
        return JSON.createObjectNode().put("id", register(subject, schema(exchange)));
      }
      if (get && path.size() == 3) {
        return JSON.valueToTree(versions(subject));
      }
      if (get && path.size() == 4) {
        return json(version(subject, path.get(3)));
      }
      if (get && path.size() == 5 && path.get(4).equals("schema")) {
        return read(SchemaText.of(version(subject, path.get(3)).schema()));
      }
    }
    throw noSuchCall(method, path);
  }

  private int register(String subject, Schema schema) throws RegistryException {
    if (!readOnly) {
      return registry.register(subject, schema);
    }
    Optional<RegisteredSchema> there = registry.lookUp(subject, schema);
    if (there.isPresent()) {
      return there.get().id();
    }
    if (!registry.compatible(subject, schema)) {
      throw new RegistryException(
          409, "schema is incompatible with an earlier one of subject " + subject);
    }
    throw new RegistryException(
        40301, "schemas are registered when the cluster is initialised; this server only reads");
  }

  private List<Integer> versions(String subject) throws RegistryException {
    List<Integer> versions = registry.versions(subject);
    if (versions.isEmpty()) {
      throw noSubject(subject);
    }
    return versions;
  }

  private RegisteredSchema version(String subject, String text) throws RegistryException {
    List<Integer> versions = versions(subject);
    int wanted;
    try {
      wanted = text.equals("latest") ? versions.get(versions.size() - 1) : Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw new RegistryException(
          42202, "The specified version '" + text + "' is not a number from 1 and not \"latest\".");
    }
    return registry
        .version(subject, wanted)
        .orElseThrow(() -> new RegistryException(40402, "Version " + wanted + " not found."));
  }

  private JsonNode lookUp(String subject, Schema schema) throws RegistryException {
    versions(subject);
    return json(
        registry
            .lookUp(subject, schema)
            .orElseThrow(() -> new RegistryException(40403, "Schema not found")));
  }

  private static ObjectNode json(RegisteredSchema registered) {
    return JSON.createObjectNode()
        .put("subject", registered.subject())
        .put("version", registered.version())
        .put("id", registered.id())
        .put("schema", SchemaText.of(registered.schema()));
  }

  private JsonNode schemas(String method, List<String> path) throws RegistryException {
    if (!method.equals("GET") || path.size() < 2) {
      throw noSuchCall(method, path);
    }
    if (path.size() == 2 && path.get(1).equals("types")) {
      return JSON.createArrayNode().add("AVRO");
    }
    if (!path.get(1).equals("ids") || path.size() < 3) {
      throw noSuchCall(method, path);
    }
    Schema schema = byId(path.get(2));
    if (path.size() == 3) {
      return JSON.createObjectNode().put("schema", SchemaText.of(schema));
    }
    return switch (path.get(3)) {
      case "schema" -> read(SchemaText.of(schema));
      case "versions" -> subjectsOf(schema);
      default -> throw noSuchCall(method, path);
    };
  }

  private Schema byId(String text) throws RegistryException {
    try {
      Optional<Schema> schema = registry.byId(Integer.parseInt(text));
      return schema.orElseThrow(
          () -> new RegistryException(40403, "Schema " + text + " not found"));
    } catch (NumberFormatException e) {
      throw new RegistryException(404, "a schema id is a number, not '" + text + "'");
    }
  }

  private ArrayNode subjectsOf(Schema schema) throws RegistryException {
    ArrayNode found = JSON.createArrayNode();
    for (String subject : registry.subjects()) {
      Optional<RegisteredSchema> version = registry.lookUp(subject, schema);
      version.ifPresent(v -> found.addObject().put("subject", subject).put("version", v.version()));
    }
    return found;
  }

  /** Whatever version is named: the level is transitive, so that all of them count. */
  private JsonNode compatibility(String method, List<String> path, HttpExchange exchange)
      throws IOException, RegistryException {
    boolean shape =
        path.size() >= 4 && path.get(1).equals("subjects") && path.get(3).equals("versions");
    if (!method.equals("POST") || !shape || path.size() > 5) {
      throw noSuchCall(method, path);
    }
    String subject = path.get(2);
    if (path.size() == 5) {
      version(subject, path.get(4));
    }
    return JSON.createObjectNode()
        .put("is_compatible", registry.compatible(subject, schema(exchange)));
  }

  private JsonNode config(String method, List<String> path, HttpExchange exchange)
      throws IOException, RegistryException {
    if (path.size() == 2) {
      // One level holds for all subjects, so that none has a level of its own.
      throw new RegistryException(
          40408,
          "Subject '" + path.get(1) + "' does not have subject-level compatibility configured");
    }
    if (method.equals("GET") && path.size() == 1) {
      return JSON.createObjectNode().put("compatibilityLevel", registry.compatibility().name());
    }
    if (!method.equals("PUT") || path.size() != 1) {
      throw noSuchCall(method, path);
    }
    String text = body(exchange).path("compatibility").asText();
    CompatibilityLevel level =
        Arrays.stream(CompatibilityLevel.values())
            .filter(l -> l.name().equals(text))
            .findFirst()
            .orElseThrow(
                () ->
                    new RegistryException(
                        42203,
                        "Invalid compatibility level '"
                            + text
                            + "'. Valid values are "
                            + Arrays.toString(CompatibilityLevel.values())));
    if (readOnly && level != registry.compatibility()) {
      throw new RegistryException(
          40301, "the level is set when the cluster is initialised; this server only reads");
    }
    registry.setCompatibility(level);
    return JSON.createObjectNode().put("compatibility", level.name());
  }

  private static JsonNode body(HttpExchange exchange) throws IOException, RegistryException {
    byte[] bytes = exchange.getRequestBody().readNBytes(REQUEST_BYTES_MAX + 1);
    if (bytes.length > REQUEST_BYTES_MAX) {
      throw new RegistryException(
          42201, "a request may have at most " + REQUEST_BYTES_MAX + " bytes");
    }
    return read(new String(bytes, StandardCharsets.UTF_8));
  }

  private static JsonNode read(String json) throws RegistryException {
    try {
      return JSON.readTree(json);
    } catch (JsonProcessingException e) {
      throw new RegistryException(42201, "the request is no JSON: " + e.getOriginalMessage());
    }
  }

  private static Schema schema(HttpExchange exchange) throws IOException, RegistryException {
    JsonNode body = body(exchange);
    String type = body.path("schemaType").asText("AVRO");
    if (!type.equals("AVRO")) {
      throw new RegistryException(42201, "schema type " + type + " is not AVRO");
    }
    try {
      return SchemaText.parse(body.path("schema").asText());
    } catch (AvroRuntimeException e) {
      throw new RegistryException(
          42201, "Input schema is an invalid Avro schema: " + e.getMessage());
    }
  }
}
