package io.millrace.server.web.route;

import io.millrace.schemas.pbs.PbsError;
import io.millrace.server.http.RequestTarget;
import io.millrace.server.http.RouteTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The table: finds the route of a request. */
public final class Routes {

  private static final String CIGRI = "/cigri/";

  private final List<Route> all;
  private final RouteTable<Route> table = new RouteTable<>();

  public Routes(List<Route> all) {
    this.all = List.copyOf(all);
    this.all.forEach(route -> table.add(route.method(), route.path(), route));
  }

  public List<Route> all() {
    return all;
  }

  /** A route with what the path and the query gave it. */
  public record MatchedRoute(
      Route route, Map<String, String> variables, Map<String, String> query) {}

  /**
   * @param text path and query as they came
   * @throws Problem when there is no such route, or it does not know what the query asks
   */
  public MatchedRoute match(String method, String text) throws Problem {
    try {
      RequestTarget target = RequestTarget.of(text);
      String path = whole(target.path());
      Optional<RouteTable.RouteMatch<Route>> found = table.find(method, path);
      if (found.isEmpty()) {
        throw none(method, path);
      }
      Route route = found.get().route();
      return new MatchedRoute(route, found.get().variables(), query(route, target.query()));
    } catch (IllegalArgumentException e) {
      throw Problem.bad("the address has a % that means nothing");
    }
  }

  /** CiGri's clients may end a path with a slash, which means nothing. */
  private static String whole(String path) {
    boolean slash = path.startsWith(CIGRI) && path.endsWith("/");
    return slash ? path.substring(0, path.length() - 1) : path;
  }

  private Problem none(String method, String path) {
    Set<String> methods = table.methods(path);
    if (methods.isEmpty()) {
      return new Problem(404, PbsError.INVALID_REQUEST, "there is nothing at " + path);
    }
    String here = String.join(", ", methods);
    return new Problem(405, PbsError.INVALID_REQUEST, path + " takes " + here + ", not " + method);
  }

  private static Map<String, String> query(Route route, List<RequestTarget.QueryValue> given)
      throws Problem {
    List<String> known = new ArrayList<>();
    for (Route.Parameter parameter : route.facts().parameters()) {
      if (!parameter.inPath()) {
        known.add(parameter.name());
      }
    }
    Map<String, String> values = new LinkedHashMap<>();
    for (RequestTarget.QueryValue value : given) {
      if (!known.contains(value.name())) {
        String offer = known.isEmpty() ? "none" : String.join(", ", known);
        throw Problem.bad("the query " + value.name() + " is not known here; there are " + offer);
      }
      if (values.put(value.name(), value.value()) != null) {
        throw Problem.bad("the query " + value.name() + " comes twice");
      }
    }
    return values;
  }
}
