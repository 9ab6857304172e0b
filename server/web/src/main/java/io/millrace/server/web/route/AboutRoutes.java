package io.millrace.server.web.route;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.function.Supplier;

/** What everybody may know: which cluster this is, and what can be asked here. */
public final class AboutRoutes {

  private final String cluster;
  private final String version;
  private final Supplier<ObjectNode> document;

  /**
   * @param cluster its id, for which credentials must be
   * @param document gives the description of all routes
   */
  public AboutRoutes(String cluster, String version, Supplier<ObjectNode> document) {
    this.cluster = cluster;
    this.version = version;
    this.document = document;
  }

  /** Their rows of the table of routes. */
  public List<Route> routes() {
    return List.of(
        new Route(
            "GET",
            "/v1/about",
            "The id of this cluster, for which credentials must be, and the version",
            Route.RouteFacts.of("About").forEverybody(),
            asked ->
                JsonText.answer(
                    200, JsonText.object().put("cluster", cluster).put("version", version))),
        new Route(
            "GET",
            "/openapi.json",
            "This description",
            Route.RouteFacts.of("Document").forEverybody(),
            asked -> JsonText.answer(200, document.get())));
  }
}
