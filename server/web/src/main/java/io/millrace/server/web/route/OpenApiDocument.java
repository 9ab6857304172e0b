package io.millrace.server.web.route;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;

/** The table of routes as an OpenAPI document. Schemas of bodies are a file beside this class. */
public final class OpenApiDocument {

  private static final String COMPONENTS = "openapi-components.json";

  private OpenApiDocument() {}

  /**
   * @param version of Millrace
   * @param commands names of all commands
   * @param more schemas beside those of the file, in JSON
   */
  public static ObjectNode of(
      List<Route> routes, String version, List<String> commands, List<InputStream> more) {
    ObjectNode document = JsonText.object();
    document.put("openapi", "3.1.0");
    document
        .putObject("info")
        .put("title", "Millrace")
        .put("version", version)
        .put("summary", "The commands of a batch scheduler, and what they show, as JSON")
        .putObject("license")
        .put("name", "Apache-2.0")
        .put("identifier", "Apache-2.0");
    document.putArray("servers").addObject().put("url", "/");
    ObjectNode paths = document.putObject("paths");
    for (Route route : routes) {
      ObjectNode path = paths.withObjectProperty(route.path());
      path.set(route.method().toLowerCase(Locale.ROOT), operation(route, commands));
    }
    ObjectNode components = tree(OpenApiDocument.class.getResourceAsStream(COMPONENTS));
    more.forEach(schemas -> ((ObjectNode) components.get("schemas")).setAll(tree(schemas)));
    document.set("components", components);
    return document;
  }

  private static ObjectNode tree(InputStream text) {
    try (text) {
      return JsonText.tree(text);
    } catch (IOException e) {
      throw new UncheckedIOException("schemas", e);
    }
  }

  private static ObjectNode operation(Route route, List<String> commands) {
    Route.RouteFacts facts = route.facts();
    ObjectNode operation = JsonText.object();
    operation.put("operationId", operationId(route));
    operation.put("summary", route.summary());
    ArrayNode parameters = operation.putArray("parameters");
    facts.parameters().forEach(it -> parameters.add(parameter(it, commands)));
    if (facts.repeatable()) {
      parameters.addObject().put("$ref", "#/components/parameters/IdempotencyKey");
    }
    if (!facts.takes().isEmpty()) {
      operation.putObject("requestBody").set("content", content(facts.takes()));
    }
    ObjectNode responses = operation.putObject("responses");
    responses
        .putObject(Integer.toString(facts.status()))
        .put("description", "OK")
        .set("content", content(facts.gives()));
    responses.putObject("default").put("$ref", "#/components/responses/Problem");
    ArrayNode security = operation.putArray("security");
    if (!facts.open()) {
      security.addObject().putArray("token");
      security.addObject().putArray("munge");
    }
    return operation;
  }

  /** A media type as it is, a name of a schema as JSON. */
  private static ObjectNode content(String what) {
    ObjectNode content = JsonText.object();
    if (what.contains("/")) {
      content.putObject(what).putObject("schema").put("type", "string");
    } else {
      content
          .putObject(JsonText.MEDIA_TYPE)
          .putObject("schema")
          .put("$ref", "#/components/schemas/" + what);
    }
    return content;
  }

  private static ObjectNode parameter(Route.Parameter parameter, List<String> commands) {
    ObjectNode node = JsonText.object();
    node.put("name", parameter.name());
    node.put("in", parameter.inPath() ? "path" : "query");
    node.put("required", parameter.inPath());
    node.put("description", parameter.says());
    ObjectNode schema = node.putObject("schema").put("type", parameter.type());
    if (parameter.name().equals("command")) {
      ArrayNode names = schema.putArray("enum");
      commands.forEach(names::add);
    }
    return node;
  }

  /** For example getJobsById of GET /v1/jobs/{id}. */
  static String operationId(Route route) {
    StringBuilder id = new StringBuilder(route.method().toLowerCase(Locale.ROOT));
    for (String part : route.path().split("[^A-Za-z]+")) {
      if (part.isEmpty() || part.equals("v")) {
        continue;
      }
      boolean variable = route.path().contains("{" + part + "}");
      id.append(variable ? "By" : "").append(Character.toUpperCase(part.charAt(0)));
      id.append(part.substring(1));
    }
    return id.toString();
  }
}
