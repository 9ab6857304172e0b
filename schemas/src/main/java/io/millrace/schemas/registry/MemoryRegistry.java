package io.millrace.schemas.registry;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.avro.Schema;

/** A registry in memory: the compatibility rules and numbering, without storage. */
public final class MemoryRegistry implements SchemaRegistry {

  private final TreeMap<String, List<RegisteredSchema>> subjects = new TreeMap<>();
  private final Map<Integer, RegisteredSchema> byId = new HashMap<>();
  private CompatibilityLevel level = CompatibilityLevel.FULL_TRANSITIVE;
  private int highestId;

  /** The entry that {@link #register} would add, or the existing one. Changes nothing. */
  synchronized RegisteredSchema next(String subject, Schema schema) throws RegistryException {
    Optional<RegisteredSchema> there = lookUp(subject, schema);
    if (there.isPresent()) {
      return there.get();
    }
    List<String> problems = level.problems(schema, schemas(subject));
    if (!problems.isEmpty()) {
      throw new RegistryException(
          409, "schema is incompatible with an earlier one: " + String.join("; ", problems));
    }
    return RegisteredSchema.of(subject, versions(subject).size() + 1, idFor(schema), schema);
  }

  /**
   * Adds an entry that was decided elsewhere, for example read from a topic. Its text is not looked
   * at: each part adds all schemas of a cluster when it starts.
   */
  synchronized void put(RegisteredSchema registered) {
    List<RegisteredSchema> versions =
        subjects.computeIfAbsent(registered.subject(), s -> new ArrayList<>());
    versions.removeIf(v -> v.version() == registered.version());
    versions.add(registered);
    versions.sort((a, b) -> Integer.compare(a.version(), b.version()));
    byId.put(registered.id(), registered);
    highestId = Math.max(highestId, registered.id());
  }

  /** As in Confluent's registry, equal schemas share an id, whatever their subjects are. */
  private int idFor(Schema schema) {
    return byId.entrySet().stream()
        .filter(e -> e.getValue().hash() == schema.hashCode())
        .filter(e -> e.getValue().isOf(schema))
        .map(Map.Entry::getKey)
        .findFirst()
        .orElse(highestId + 1);
  }

  synchronized int highestId() {
    return highestId;
  }

  private List<Schema> schemas(String subject) {
    return subjects.getOrDefault(subject, List.of()).stream()
        .map(RegisteredSchema::schema)
        .toList();
  }

  @Override
  public synchronized int register(String subject, Schema schema) throws RegistryException {
    RegisteredSchema next = next(subject, schema);
    put(next);
    return next.id();
  }

  @Override
  public synchronized Optional<RegisteredSchema> lookUp(String subject, Schema schema) {
    return subjects.getOrDefault(subject, List.of()).stream()
        .filter(v -> v.isOf(schema))
        .findFirst();
  }

  @Override
  public synchronized Optional<Schema> byId(int id) {
    return Optional.ofNullable(byId.get(id)).map(RegisteredSchema::schema);
  }

  @Override
  public synchronized List<String> subjects() {
    return List.copyOf(subjects.keySet());
  }

  @Override
  public synchronized List<Integer> versions(String subject) {
    return subjects.getOrDefault(subject, List.of()).stream()
        .map(RegisteredSchema::version)
        .toList();
  }

  @Override
  public synchronized Optional<RegisteredSchema> version(String subject, int version) {
    return subjects.getOrDefault(subject, List.of()).stream()
        .filter(v -> v.version() == version)
        .findFirst();
  }

  @Override
  public synchronized boolean compatible(String subject, Schema schema) {
    return level.problems(schema, schemas(subject)).isEmpty();
  }

  @Override
  public synchronized CompatibilityLevel compatibility() {
    return level;
  }

  @Override
  public synchronized void setCompatibility(CompatibilityLevel level) {
    this.level = level;
  }

  @Override
  public void close() {}
}
