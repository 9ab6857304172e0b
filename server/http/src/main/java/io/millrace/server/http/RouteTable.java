package io.millrace.server.http;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Finds the route of a request. Whoever serves adds all routes before the first request.
 *
 * @param <T> what a route leads to
 */
public final class RouteTable<T> {

  private record RouteLine<T>(String method, String path, T route) {}

  private final List<RouteLine<T>> lines = new ArrayList<>();

  /**
   * @param path with variables in braces, for example {@code /v1/jobs/{id}}
   */
  public RouteTable<T> add(String method, String path, T route) {
    lines.add(new RouteLine<>(method, path, route));
    return this;
  }

  /** A route with the parts of the path that its variables stand for, decoded. */
  public record RouteMatch<T>(T route, Map<String, String> variables) {}

  /**
   * The first route for a method and a path.
   *
   * @throws IllegalArgumentException when a part of the path cannot be decoded
   */
  public Optional<RouteMatch<T>> find(String method, String path) {
    for (RouteLine<T> line : lines) {
      if (line.method().equals(method)) {
        Optional<Map<String, String>> variables = variables(line.path(), path);
        if (variables.isPresent()) {
          return Optional.of(new RouteMatch<>(line.route(), variables.get()));
        }
      }
    }
    return Optional.empty();
  }

  /** The methods that a path takes; none when there is nothing. */
  public SortedSet<String> methods(String path) {
    SortedSet<String> methods = new TreeSet<>();
    for (RouteLine<T> line : lines) {
      if (variables(line.path(), path).isPresent()) {
        methods.add(line.method());
      }
    }
    return methods;
  }

  /** Empty when the path is another one. Parts are decoded after they were told apart. */
  private static Optional<Map<String, String>> variables(String template, String path) {
    String[] wanted = template.split("/", -1);
    String[] given = path.split("/", -1);
    if (wanted.length != given.length) {
      return Optional.empty();
    }
    Map<String, String> variables = new HashMap<>();
    for (int i = 0; i < wanted.length; i++) {
      if (wanted[i].startsWith("{")) {
        if (given[i].isEmpty()) {
          return Optional.empty();
        }
        variables.put(
            wanted[i].substring(1, wanted[i].length() - 1), RequestTarget.decodedPath(given[i]));
      } else if (!wanted[i].equals(given[i])) {
        return Optional.empty();
      }
    }
    return Optional.of(variables);
  }
}
