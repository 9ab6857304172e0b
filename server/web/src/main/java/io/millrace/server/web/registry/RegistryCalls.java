package io.millrace.server.web.registry;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.schemas.registry.CompatibilityLevel;
import io.millrace.schemas.registry.RegisteredSchema;
import io.millrace.schemas.registry.RegistryException;
import io.millrace.schemas.registry.SchemaRegistry;
import io.millrace.schemas.registry.SchemaText;
import io.millrace.server.http.RouteTable;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Confluent's REST calls on any {@link SchemaRegistry}. A request to register an existing schema is
 * answered with its id even when the registry is read-only, because Confluent's serializers always
 * look up ids that way.
 */
final class RegistryCalls {

  private static final Logger LOG = LoggerFactory.getLogger(RegistryCalls.class);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String SUBJECTS = "/subjects";

  /** A new build registers its schemas while this one answers. */
  private static final long KNOWN_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final LongSupplier nanos;
  private final AtomicLong askedNanos;
  private final SchemaRegistry registry;
  private final boolean readOnly;
  private final RouteTable<RegistryCall> routes = new RouteTable<>();

  RegistryCalls(SchemaRegistry registry, boolean readOnly) {
    this(registry, readOnly, System::nanoTime);
  }

  RegistryCalls(SchemaRegistry registry, boolean readOnly, LongSupplier nanos) {
    this.nanos = nanos;
    this.askedNanos = new AtomicLong(nanos.getAsLong());
    this.registry = registry;
    this.readOnly = readOnly;
    routes.add("GET", "/", (path, body) -> JSON.createObjectNode());
    routes.add("GET", SUBJECTS, (path, body) -> JSON.valueToTree(registry.subjects()));
    routes.add("POST", "/subjects/{subject}", this::lookUp);
    routes.add("POST", "/subjects/{subject}/versions", this::register);
    routes.add("GET", "/subjects/{subject}/versions", this::versions);
    routes.add("GET", "/subjects/{subject}/versions/{version}", this::version);
    routes.add("GET", "/subjects/{subject}/versions/{version}/schema", this::schemaOfVersion);
    routes.add("GET", "/schemas/types", (path, body) -> JSON.createArrayNode().add("AVRO"));
    routes.add("GET", "/schemas/ids/{id}", this::schemaById);
    routes.add("GET", "/schemas/ids/{id}/schema", (path, body) -> read(text(path)));
    routes.add("GET", "/schemas/ids/{id}/versions", (path, body) -> subjectsOf(byId(path)));
    routes.add("POST", "/compatibility/subjects/{subject}/versions", this::compatibility);
    routes.add("POST", "/compatibility/subjects/{subject}/versions/{version}", this::compatibility);
    routes.add("GET", "/config", this::level);
    routes.add("PUT", "/config", this::setLevel);
    for (String method : new String[] {"GET", "PUT", "DELETE"}) {
      routes.add(method, "/config/{subject}", this::levelOfSubject);
    }
    routes.add("GET", "/mode", this::mode);
  }

  /** Handler of a REST call: gets the variables of the path and the body, returns the answer. */
  private interface RegistryCall {
    JsonNode answer(Map<String, String> path, byte[] body) throws RegistryException;
  }

  /**
   * @param target path and query; empty parts of the path do not count
   * @throws RegistryException when the call is refused, with the code
   */
  JsonNode answer(String method, String target, byte[] body) throws RegistryException {
    String[] parts = target.split("\\?", 2)[0].split("/");
    String path =
        "/" + String.join("/", Arrays.stream(parts).filter(part -> !part.isEmpty()).toList());
    Optional<RouteTable.RouteMatch<RegistryCall>> found;
    try {
      found = routes.find(method, path);
    } catch (IllegalArgumentException e) {
      found = Optional.empty();
    }
    if (found.isEmpty()) {
      throw new RegistryException(404, "no such call: " + method + " " + path);
    }
    if (path.startsWith(SUBJECTS)) {
      refresh();
    }
    return found.get().route().answer(found.get().variables(), body);
  }

  /** What is known is answered also while the brokers do not tell more. */
  private void refresh() {
    long now = nanos.getAsLong();
    long before = askedNanos.get();
    if (now - before < KNOWN_NANOS || !askedNanos.compareAndSet(before, now)) {
      return;
    }
    try {
      registry.refresh();
    } catch (RegistryException e) {
      LOG.warn("schemas that are new may be missing: {}", e.getMessage());
    }
  }

  private static RegistryException noSubject(String subject) {
    return new RegistryException(40401, "Subject '" + subject + "' not found.");
  }

  private JsonNode mode(Map<String, String> path, byte[] body) {
    return JSON.createObjectNode().put("mode", readOnly ? "READONLY" : "READWRITE");
  }

  private JsonNode register(Map<String, String> path, byte[] body) throws RegistryException {
    return JSON.createObjectNode().put("id", register(path.get("subject"), schema(body)));
  }

  private JsonNode versions(Map<String, String> path, byte[] body) throws RegistryException {
    return JSON.valueToTree(versions(path.get("subject")));
  }

  private JsonNode version(Map<String, String> path, byte[] body) throws RegistryException {
    return json(version(path.get("subject"), path.get("version")));
  }

  private JsonNode schemaOfVersion(Map<String, String> path, byte[] body) throws RegistryException {
    return read(SchemaText.of(version(path.get("subject"), path.get("version")).schema()));
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

  private JsonNode lookUp(Map<String, String> path, byte[] body) throws RegistryException {
    String subject = path.get("subject");
    Schema schema = schema(body);
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

  private JsonNode schemaById(Map<String, String> path, byte[] body) throws RegistryException {
    return JSON.createObjectNode().put("schema", text(path));
  }

  private String text(Map<String, String> path) throws RegistryException {
    return SchemaText.of(byId(path));
  }

  private Schema byId(Map<String, String> path) throws RegistryException {
    String text = path.get("id");
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

  /**
   * Checks compatibility with all versions, whichever one the path names, because the level is
   * transitive.
   */
  private JsonNode compatibility(Map<String, String> path, byte[] body) throws RegistryException {
    String subject = path.get("subject");
    if (path.containsKey("version")) {
      version(subject, path.get("version"));
    }
    return JSON.createObjectNode().put("is_compatible", registry.compatible(subject, schema(body)));
  }

  private JsonNode levelOfSubject(Map<String, String> path, byte[] body) throws RegistryException {
    // There is one level for all subjects, so no subject has its own.
    throw new RegistryException(
        40408,
        "Subject '"
            + path.get("subject")
            + "' does not have subject-level compatibility configured");
  }

  private JsonNode level(Map<String, String> path, byte[] body) throws RegistryException {
    return JSON.createObjectNode().put("compatibilityLevel", registry.compatibility().name());
  }

  private JsonNode setLevel(Map<String, String> path, byte[] body) throws RegistryException {
    String text = read(body).path("compatibility").asText();
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

  private static JsonNode read(byte[] body) throws RegistryException {
    return read(new String(body, StandardCharsets.UTF_8));
  }

  private static JsonNode read(String json) throws RegistryException {
    try {
      return JSON.readTree(json);
    } catch (JsonProcessingException e) {
      throw new RegistryException(42201, "the request is no JSON: " + e.getOriginalMessage());
    }
  }

  private static Schema schema(byte[] body) throws RegistryException {
    JsonNode asked = read(body);
    String type = asked.path("schemaType").asText("AVRO");
    if (!type.equals("AVRO")) {
      throw new RegistryException(42201, "schema type " + type + " is not AVRO");
    }
    try {
      return SchemaText.parse(asked.path("schema").asText());
    } catch (AvroRuntimeException e) {
      throw new RegistryException(
          42201, "Input schema is an invalid Avro schema: " + e.getMessage());
    }
  }
}
