package io.millrace.server.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.server.gateway.session.SharedBytes;
import io.millrace.server.web.credential.Accounts;
import io.millrace.server.web.route.AboutRoutes;
import io.millrace.server.web.route.CommandRoutes;
import io.millrace.server.web.route.EventRoutes;
import io.millrace.server.web.route.OpenApiDocument;
import io.millrace.server.web.route.Route;
import io.millrace.server.web.route.SessionRoutes;
import io.millrace.server.web.route.ViewRoutes;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.PathItem;
import io.swagger.v3.parser.OpenAPIV3Parser;
import io.swagger.v3.parser.core.models.ParseOptions;
import io.swagger.v3.parser.core.models.SwaggerParseResult;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class OpenApiTest {

  private static final List<String> COMMANDS = List.of("qsub", "qstat", "sge/qsub");

  private static List<Route> routes() {
    List<Route> all = new ArrayList<>();
    Accounts accounts = new Accounts(Clock.systemUTC());
    all.addAll(new CommandRoutes(invocation -> 0, COMMANDS, accounts, new SharedBytes(0)).routes());
    all.addAll(new SessionRoutes(null).routes());
    all.addAll(new ViewRoutes(null).routes());
    all.addAll(new EventRoutes(null, null).routes());
    all.addAll(new AboutRoutes("c", "1", () -> null).routes());
    return all;
  }

  private static SwaggerParseResult parsed(String text) {
    ParseOptions options = new ParseOptions();
    options.setResolve(true);
    options.setValidateExternalRefs(true);
    return new OpenAPIV3Parser().readContents(text, List.of(), options);
  }

  private static final ObjectNode DOCUMENT =
      OpenApiDocument.of(routes(), "0.1", COMMANDS, List.of());

  @Test
  void theDocumentIsValid() {
    SwaggerParseResult result = parsed(DOCUMENT.toString());
    assertEquals(List.of(), result.getMessages());
    assertEquals("3.1.0", result.getOpenAPI().getOpenapi());
  }

  @Test
  void aBrokenDocumentIsNotFoundValid() {
    ObjectNode broken = DOCUMENT.deepCopy();
    broken.remove("info");
    ((ObjectNode) broken.at("/paths/~1v1~1jobs/get")).remove("responses");
    ((ObjectNode) broken.at("/paths/~1v1~1jobs/get")).put("parameters", "none");
    assertTrue(parsed(broken.toString()).getMessages().size() >= 2);
  }

  @Test
  void eachRouteIsInIt() {
    OpenAPI document = parsed(DOCUMENT.toString()).getOpenAPI();
    Set<String> ids = new HashSet<>();
    int operations = 0;
    for (Route route : routes()) {
      PathItem path = document.getPaths().get(route.path());
      assertNotNull(path, route.path());
      Operation operation =
          path.readOperationsMap().get(PathItem.HttpMethod.valueOf(route.method()));
      assertNotNull(operation, route.path());
      assertTrue(ids.add(operation.getOperationId()), operation.getOperationId());
      assertEquals(route.facts().open(), operation.getSecurity().isEmpty(), route.path());
    }
    for (PathItem path : document.getPaths().values()) {
      operations += path.readOperations().size();
    }
    assertEquals(routes().size(), operations);
  }

  @Test
  void eachReferenceMeansSomething() {
    for (String reference : DOCUMENT.findValuesAsText("$ref")) {
      assertTrue(reference.startsWith("#/"), reference);
      assertTrue(!DOCUMENT.at(reference.substring(1)).isMissingNode(), reference);
    }
    for (Route route : routes()) {
      for (String name : List.of(route.facts().takes(), route.facts().gives())) {
        boolean known = DOCUMENT.at("/components/schemas/" + name).isObject();
        assertTrue(name.isEmpty() || name.contains("/") || known, name);
      }
    }
  }

  @Test
  void theCommandsAreNamed() {
    assertEquals(
        "[\"qsub\",\"qstat\",\"sge/qsub\"]",
        DOCUMENT.at("/paths/~1v1~1commands~1{command}/post/parameters/0/schema/enum").toString());
  }
}
