package io.millrace.schedulers.core.model;

import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.ClusterObject;

/** Reads attributes of cluster objects. */
public final class ObjectAttributes {

  private ObjectAttributes() {}

  public static String text(ClusterObject object, String name, String otherwise) {
    for (Attribute attribute : object.getAttributes()) {
      if (attribute.getName().equals(name)) {
        return attribute.getValue();
      }
    }
    return otherwise;
  }

  /** Whole number, perhaps below 0; {@code otherwise} when it is absent or none. */
  public static long signed(ClusterObject object, String name, long otherwise) {
    String text = text(object, name, "");
    return text.matches("-?\\d{1,18}") ? Long.parseLong(text) : otherwise;
  }

  /** Whole number; {@code otherwise} when it is absent or no number that is at least 0. */
  static long number(ClusterObject object, String name, long otherwise) {
    String text = text(object, name, "");
    return text.matches("\\d{1,18}") ? Long.parseLong(text) : otherwise;
  }
}
