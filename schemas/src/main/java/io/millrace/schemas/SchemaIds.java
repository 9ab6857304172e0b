package io.millrace.schemas;

import java.util.Collection;
import java.util.Optional;
import org.apache.avro.Schema;

/** The numbers that stand for schemas in the wire format. Thread-safe. */
public interface SchemaIds {

  /**
   * Id under which this build's schema of the record is registered.
   *
   * @param fullName full name of a record of the catalogue
   * @throws IllegalArgumentException when it is not registered
   */
  int idOf(String fullName);

  /** The writer's schema of an id; empty when nobody registered it. */
  Optional<Schema> writerSchema(int id);

  /** Ids 1, 2, 3, ... in the order of the catalogue, for processes that share no registry. */
  static SchemaIds local() {
    Collection<Catalogue.CatalogueEntry> entries = Catalogue.get().entries();
    return new NumberedSchemas(entries);
  }
}
