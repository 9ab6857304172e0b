package io.millrace.server.core.state;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.stream.Collectors;

/** Finds the methods that schemas name by their subject. */
public final class SubjectMethods {
  /** The package of all subjects, with the dot behind it. */
  public static final String ROOT = "io.millrace.server.core.";

  private SubjectMethods() {}

  /**
   * A method of a subject, to be called without its object.
   *
   * @param subject the package below {@link #ROOT}
   * @param owner class in the package
   * @param type what the method is called as: its own types or what they extend
   * @param parameters its own types
   * @throws IllegalStateException when the subject has no such public method
   */
  public static MethodHandle find(
      String subject, String owner, String name, MethodType type, Class<?>... parameters) {
    String full = ROOT + subject + "." + owner;
    try {
      Object instance = Class.forName(full).getDeclaredConstructor().newInstance();
      Method method = instance.getClass().getMethod(name, parameters);
      return MethodHandles.publicLookup().unreflect(method).bindTo(instance).asType(type);
    } catch (ReflectiveOperationException | RuntimeException e) {
      String wanted =
          Arrays.stream(parameters).map(Class::getSimpleName).collect(Collectors.joining(", "));
      String result = type.returnType().getSimpleName();
      throw new IllegalStateException(
          "%s has no public %s %s(%s)".formatted(full, result, name, wanted), e);
    }
  }
}
