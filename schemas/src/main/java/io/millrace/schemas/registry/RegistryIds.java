package io.millrace.schemas.registry;

import io.millrace.schemas.Catalogue;
import io.millrace.schemas.SchemaIds;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.avro.Schema;

/**
 * Ids that a registry has assigned to the catalogue's schemas; ids of other versions are looked up
 * when they occur.
 */
public final class RegistryIds implements SchemaIds {

  private final SchemaRegistry registry;
  private final Map<String, Integer> own = new HashMap<>();

  /**
   * Looks up every record of the catalogue.
   *
   * @throws RegistryException when a record is not registered, or the registry is out of reach
   */
  public RegistryIds(SchemaRegistry registry) throws RegistryException {
    this.registry = registry;
    for (Catalogue.CatalogueEntry entry : Catalogue.get().entries()) {
      RegisteredSchema found =
          registry
              .lookUp(entry.fullName(), SchemaText.published(entry.schema()))
              .orElseThrow(
                  () ->
                      new RegistryException(
                          40403,
                          "this build's schema of "
                              + entry.fullName()
                              + " is not registered: initialise the cluster with this build"));
      own.put(entry.fullName(), found.id());
    }
  }

  @Override
  public int idOf(String fullName) {
    Integer id = own.get(fullName);
    if (id == null) {
      throw new IllegalArgumentException(fullName + " is no record of the catalogue");
    }
    return id;
  }

  @Override
  public Optional<Schema> writerSchema(int id) {
    try {
      return registry.byId(id);
    } catch (RegistryException e) {
      // The registry is unreachable, so the record may be fine: the caller must not treat it as
      // undecodable.
      throw new IllegalStateException("schema id " + id + ": " + e.getMessage(), e);
    }
  }
}
