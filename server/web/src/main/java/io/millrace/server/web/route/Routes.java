package io.millrace.server.web.route;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** The table: finds the route of a request. */
public final class Routes {

  private final List<Route> all;

  public Routes(List<Route> all) {
    this.all = List.copyOf(all);
  }

  public List<Route> all() {
    return all;
  }

  /** A route with what the path and the query gave it. */
  public record Match(Route route, Map<String, String> variables, Map<String, String> query) {}

  /**
   * @param target path and query as they came
   * @throws Problem when there is no such route, or it does not know what the query asks
   */
  public Match match(String method, String target) throws Problem {
    int question = target.indexOf('?');
    String path = question < 0 ? target : target.substring(0, question);
    String query = question < 0 ? "" : target.substring(question + 1);
    TreeSet<String> methods = new TreeSet<>();
    for (Route route : all) {
      Map<String, String> variables = variables(route.path(), path);
      if (variables != null && route.method().equals(method)) {
        return new Match(route, variables, query(route, query));
      }
      if (variables != null) {
        methods.add(route.method());
      }
    }
    if (methods.isEmpty()) {
      throw new Problem(404, Problem.INVALID_REQUEST, "there is nothing at " + path);
    }
    String here = String.join(", ", methods);
    throw new Problem(405, Problem.INVALID_REQUEST, path + " takes " + here + ", not " + method);
  }

  /** Null when the path is another one. Parts are decoded after they were told apart. */
  private static Map<String, String> variables(String template, String path) throws Problem {
    String[] wanted = template.split("/", -1);
    String[] given = path.split("/", -1);
    if (wanted.length != given.length) {
      return null;
    }
    Map<String, String> variables = new HashMap<>();
    for (int i = 0; i < wanted.length; i++) {
      if (wanted[i].startsWith("{")) {
        if (given[i].isEmpty()) {
          return null;
        }
        variables.put(wanted[i].substring(1, wanted[i].length() - 1), path(given[i]));
      } else if (!wanted[i].equals(given[i])) {
        return null;
      }
    }
    return variables;
  }

  private static Map<String, String> query(Route route, String query) throws Problem {
    List<String> known = new ArrayList<>();
    for (Route.Parameter parameter : route.facts().parameters()) {
      if (!parameter.inPath()) {
        known.add(parameter.name());
      }
    }
    Map<String, String> values = new LinkedHashMap<>();
    for (String pair : query.split("&")) {
      if (pair.isEmpty()) {
        continue;
      }
      int equals = pair.indexOf('=');
      String name = decoded(equals < 0 ? pair : pair.substring(0, equals));
      if (!known.contains(name)) {
        String offer = known.isEmpty() ? "none" : String.join(", ", known);
        throw Problem.bad("the query " + name + " is not known here; there are " + offer);
      }
      if (values.put(name, equals < 0 ? "" : decoded(pair.substring(equals + 1))) != null) {
        throw Problem.bad("the query " + name + " comes twice");
      }
    }
    return values;
  }

  /** In a path a plus is a plus. */
  private static String path(String text) throws Problem {
    return decoded(text.replace("+", "%2B"));
  }

  private static String decoded(String text) throws Problem {
    try {
      return URLDecoder.decode(text, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw Problem.bad("the address has a % that means nothing");
    }
  }
}
