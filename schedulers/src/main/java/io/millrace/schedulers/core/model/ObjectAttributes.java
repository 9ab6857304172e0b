package io.millrace.schedulers.core.model;

import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.ClusterObject;
import java.util.regex.Pattern;

/** Reads attributes of cluster objects. */
public final class ObjectAttributes {

  private static final Pattern SIGNED = Pattern.compile("-?\\d{1,18}");
  private static final Pattern NUMBER = Pattern.compile("\\d{1,18}");

  private ObjectAttributes() {}

  public static String text(ClusterObject object, String name, String otherwise) {
    for (Attribute attribute : object.getAttributes()) {
      if (attribute.getName().equals(name)) {
        return attribute.getValue();
      }
    }
    return otherwise;
  }

  /**
   * Value of a whole-number attribute, which may be negative; {@code otherwise} when it is absent
   * or not a number.
   */
  public static long signed(ClusterObject object, String name, long otherwise) {
    String text = text(object, name, "");
    return SIGNED.matcher(text).matches() ? Long.parseLong(text) : otherwise;
  }

  /**
   * Value of a whole-number attribute of at least 0; {@code otherwise} when it is absent or not
   * such a number.
   */
  public static long number(ClusterObject object, String name, long otherwise) {
    String text = text(object, name, "");
    return NUMBER.matcher(text).matches() ? Long.parseLong(text) : otherwise;
  }
}
