package io.millrace.schemas.pbs.attributes;

import io.millrace.schemas.common.ObjectKind;
import java.util.Optional;

/**
 * One attribute of one kind of object.
 *
 * @param kind kind of the object
 * @param name PBS's spelling; for {@link #perResource} ones without the resource
 * @param type type of its value
 * @param access who may set it
 * @param defaultValue default value in normal form; empty when there is none
 */
public record AttributeDefinition(
    ObjectKind kind, String name, AttributeType type, AttributeAccess access, String defaultValue) {

  /** The value as it is stored and shown; empty when it is illegal. */
  public Optional<String> normalise(String value) {
    return type.normalise(value);
  }

  /** Whether values are named {@code name.resource}. */
  public boolean perResource() {
    return type == AttributeType.RESOURCES || type == AttributeType.RESOURCE_LIMITS;
  }
}
