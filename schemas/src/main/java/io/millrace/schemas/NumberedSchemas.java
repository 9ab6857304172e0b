package io.millrace.schemas;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.avro.Schema;

/** Ids by position in the catalogue; they agree within one process and between equal builds. */
final class NumberedSchemas implements SchemaIds {

  private final Map<String, Integer> ids = new HashMap<>();
  private final List<Schema> schemas = new ArrayList<>();

  NumberedSchemas(Collection<Catalogue.CatalogueEntry> entries) {
    for (Catalogue.CatalogueEntry entry : entries) {
      schemas.add(entry.schema());
      ids.put(entry.fullName(), schemas.size());
    }
  }

  @Override
  public int idOf(String fullName) {
    Integer id = ids.get(fullName);
    if (id == null) {
      throw new IllegalArgumentException(fullName + " is no record of the catalogue");
    }
    return id;
  }

  @Override
  public Optional<Schema> writerSchema(int id) {
    return id >= 1 && id <= schemas.size() ? Optional.of(schemas.get(id - 1)) : Optional.empty();
  }
}
