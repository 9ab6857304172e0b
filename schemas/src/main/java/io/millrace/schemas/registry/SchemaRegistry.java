package io.millrace.schemas.registry;

import java.util.List;
import java.util.Optional;
import org.apache.avro.Schema;

/** Subjects, their versions, and the ids of their schemas. Thread-safe. */
public interface SchemaRegistry extends AutoCloseable {

  /**
   * Adds the schema as the next version of the subject; a schema that is there already keeps its
   * id.
   *
   * @return the id
   * @throws RegistryException 409 when it is incompatible, 403 when nothing may be added here
   */
  int register(String subject, Schema schema) throws RegistryException;

  /** The version of the subject with this schema; empty when there is none. */
  Optional<RegisteredSchema> lookUp(String subject, Schema schema) throws RegistryException;

  Optional<Schema> byId(int id) throws RegistryException;

  /** All subjects in alphabetical order. */
  List<String> subjects() throws RegistryException;

  /** Version numbers of the subject, ascending; empty when there is no such subject. */
  List<Integer> versions(String subject) throws RegistryException;

  Optional<RegisteredSchema> version(String subject, int version) throws RegistryException;

  /** True when the schema could be registered under the subject. */
  boolean compatible(String subject, Schema schema) throws RegistryException;

  /** The level that all subjects follow. */
  CompatibilityLevel compatibility() throws RegistryException;

  void setCompatibility(CompatibilityLevel level) throws RegistryException;

  /** Learns what others have registered meanwhile, where it keeps a copy of what there is. */
  default void refresh() throws RegistryException {}

  @Override
  void close();
}
