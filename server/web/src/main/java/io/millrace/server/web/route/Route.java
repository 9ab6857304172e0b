package io.millrace.server.web.route;

import io.millrace.server.http.HttpAnswer;
import java.io.IOException;
import java.util.List;

/**
 * One line of the table.
 *
 * @param method for example GET
 * @param path with variables in braces, for example {@code /v1/jobs/{id}}
 * @param summary what it does, in one line
 * @param facts what it takes and gives
 * @param handler does it
 */
public record Route(
    String method, String path, String summary, RouteFacts facts, RouteHandler handler) {

  /** Carries out a request. */
  public interface RouteHandler {
    HttpAnswer answer(RouteRequest asked) throws Problem, IOException, InterruptedException;
  }

  /**
   * What can stand in a query or is a variable of the path.
   *
   * @param type of JSON: string, integer or boolean
   */
  public record Parameter(String name, boolean inPath, String type, String says) {

    public static Parameter path(String name, String says) {
      return new Parameter(name, true, "string", says);
    }

    public static Parameter query(String name, String type, String says) {
      return new Parameter(name, false, type, says);
    }
  }

  /**
   * What a route takes and gives.
   *
   * @param open whether everybody may ask
   * @param repeatable whether it heeds the header Idempotency-Key
   * @param takes schema of the body it wants, a media type of bytes, or empty
   * @param gives schema or media type of its answer
   * @param status of an answer when all is well
   */
  public record RouteFacts(
      boolean open,
      boolean repeatable,
      List<Parameter> parameters,
      String takes,
      String gives,
      int status) {

    private static final int OK = 200;

    public static RouteFacts of(String gives, Parameter... parameters) {
      return new RouteFacts(false, false, List.of(parameters), "", gives, OK);
    }

    RouteFacts forEverybody() {
      return new RouteFacts(true, repeatable, parameters, takes, gives, status);
    }

    /** Answered with another status than 200. */
    public RouteFacts with(int other) {
      return new RouteFacts(open, repeatable, parameters, takes, gives, other);
    }

    public RouteFacts taking(String body) {
      return new RouteFacts(open, repeatable, parameters, body, gives, status);
    }

    public RouteFacts repeatable(String body) {
      return new RouteFacts(open, true, parameters, body, gives, status);
    }
  }
}
