package io.millrace.server.web.route;

import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.server.gateway.print.Json;
import io.millrace.server.gateway.query.JobFilter;
import io.millrace.server.gateway.query.QueryException;
import io.millrace.server.gateway.status.Views;
import io.millrace.server.http.HttpAnswer;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** Jobs, queues, nodes and the server as they are now, in pages. */
public final class ViewRoutes {

  private static final int PAGE = 100;
  private static final int PAGE_MAX = 1000;

  private static final Route.Parameter LIMIT =
      Route.Parameter.query("limit", "integer", "most entries of a page, 1 to 1000; 100 if absent");

  private final Views views;

  public ViewRoutes(Views views) {
    this.views = views;
  }

  /** Their rows of the table of routes. */
  public List<Route> routes() {
    return List.of(
        new Route(
            "GET",
            "/v1/jobs",
            "A page of the jobs in ascending number, each as qstat -f shows it",
            Route.RouteFacts.of(
                "Jobs",
                Route.Parameter.query("queue", "string", "only jobs of this queue"),
                Route.Parameter.query("owner", "string", "only jobs of this user"),
                Route.Parameter.query("history", "boolean", "finished jobs too"),
                Route.Parameter.query("after", "string", "next of the page before"),
                LIMIT),
            asked -> answered(() -> jobs(asked))),
        new Route(
            "GET",
            "/v1/jobs/{id}",
            "A job, an array or a subjob, with why it is where it is",
            Route.RouteFacts.of(
                "Job", Route.Parameter.path("id", "such as 12, 12[] or 12[3].server")),
            asked -> answered(() -> job(asked))),
        list("queues", "Queues", ObjectKind.QUEUE),
        one("queues", "queue", ObjectKind.QUEUE, PbsError.UNKNOWN_QUEUE),
        list("nodes", "Nodes", ObjectKind.NODE),
        one("nodes", "node", ObjectKind.NODE, PbsError.UNKNOWN_NODE),
        new Route(
            "GET",
            "/v1/reservations",
            "A page of the reservations in ascending number, each as pbs_rstat -f shows it",
            Route.RouteFacts.of(
                "Reservations",
                Route.Parameter.query("after", "string", "next of the page before"),
                LIMIT),
            asked -> answered(() -> reservations(asked))),
        new Route(
            "GET",
            "/v1/reservations/{id}",
            "A reservation",
            Route.RouteFacts.of("Object", Route.Parameter.path("id", "such as R7 or R7.server")),
            asked -> answered(() -> reservation(asked))),
        new Route(
            "GET",
            "/v1/server",
            "The server's attributes, as qstat -Bf shows them",
            Route.RouteFacts.of("Server"),
            asked -> answered(this::server)));
  }

  private Route list(String plural, String schema, ObjectKind kind) {
    return new Route(
        "GET",
        "/v1/" + plural,
        "A page of the " + plural + " by name",
        Route.RouteFacts.of(
            schema, Route.Parameter.query("after", "string", "next of the page before"), LIMIT),
        asked -> answered(() -> objects(asked, plural, kind)));
  }

  private Route one(String plural, String singular, ObjectKind kind, PbsError unknown) {
    return new Route(
        "GET",
        "/v1/" + plural + "/{name}",
        "A " + singular + " with all its attributes",
        Route.RouteFacts.of("Object", Route.Parameter.path("name", "its name")),
        asked ->
            answered(
                () -> {
                  String name = asked.variables().get("name");
                  Views.ShownObject entry =
                      views
                          .object(kind, name)
                          .orElseThrow(
                              () -> new Problem(404, unknown, "Unknown " + singular + " " + name));
                  return single(singular, entry, Optional.empty());
                }));
  }

  private interface Question {
    HttpAnswer ask() throws Problem, QueryException, InterruptedException;
  }

  private static HttpAnswer answered(Question question) throws Problem, InterruptedException {
    try {
      return question.ask();
    } catch (QueryException e) {
      throw new Problem(503, PbsError.NO_SERVER, "cannot connect to server: " + e.getMessage());
    } catch (IllegalArgumentException e) {
      throw Problem.bad(e.getMessage());
    }
  }

  private HttpAnswer jobs(RouteRequest asked) throws Problem, QueryException, InterruptedException {
    JobFilter filter = JobFilter.all(asked.flag("history"), asked.principal().user());
    Optional<String> queue = asked.query("queue");
    Optional<String> owner = asked.query("owner");
    Optional<String> after = asked.query("after");
    if (queue.isPresent()) {
      filter = filter.inQueue(queue.get());
    }
    if (owner.isPresent()) {
      filter = filter.ownedBy(owner.get());
    }
    if (after.isPresent()) {
      filter = filter.behind(number(after.get()));
    }
    Views.ViewPage page = seen(asked).jobs(filter, asked.number("limit", PAGE, 1, PAGE_MAX));
    return page("jobs", page);
  }

  private HttpAnswer reservations(RouteRequest asked)
      throws Problem, QueryException, InterruptedException {
    long after = number(asked.query("after").orElse("0"));
    return page(
        "reservations", views.reservations(after, asked.number("limit", PAGE, 1, PAGE_MAX)));
  }

  private HttpAnswer reservation(RouteRequest asked)
      throws Problem, QueryException, InterruptedException {
    String id = asked.variables().get("id");
    PbsError unknown = PbsError.UNKNOWN_RESERVATION;
    Views.ShownObject entry =
        views
            .reservation(id)
            .orElseThrow(() -> new Problem(404, unknown, unknown.text() + " " + id));
    return single("reservation", entry, Optional.empty());
  }

  private static long number(String after) throws Problem {
    if (!after.matches("\\d{1,18}")) {
      throw Problem.bad("after is what a page says as next, not " + after);
    }
    return Long.parseLong(after);
  }

  private HttpAnswer objects(RouteRequest asked, String plural, ObjectKind kind)
      throws Problem, QueryException, InterruptedException {
    int limit = asked.number("limit", PAGE, 1, PAGE_MAX);
    return page(plural, views.objects(kind, asked.query("after").orElse(""), limit));
  }

  private HttpAnswer job(RouteRequest asked) throws Problem, QueryException, InterruptedException {
    String id = asked.variables().get("id");
    Views seen = seen(asked);
    Optional<Views.ShownObject> entry = seen.job(id);
    if (entry.isEmpty() && seen.hides(id)) {
      throw new Problem(403, PbsError.UNAUTHORIZED, PbsError.UNAUTHORIZED.text() + " " + id);
    }
    return single(
        "job",
        entry.orElseThrow(
            () -> new Problem(404, PbsError.UNKNOWN_JOB, PbsError.UNKNOWN_JOB.text() + " " + id)),
        seen.why(id));
  }

  /** What the caller may see. */
  private Views seen(RouteRequest asked) {
    return views.seenBy(asked.principal().user(), () -> PeerNames.host(asked.peer()));
  }

  private HttpAnswer server() throws Problem, QueryException, InterruptedException {
    Views.ShownObject entry =
        views
            .theServer()
            .orElseThrow(() -> new Problem(503, PbsError.NO_SERVER, "there is no server yet"));
    return single("server", entry, Optional.empty());
  }

  private static HttpAnswer page(String plural, Views.ViewPage page) {
    StringBuilder text = new StringBuilder();
    Json json = new Json(text).open(null).open(plural);
    page.entries().forEach(entry -> json.object(entry.name(), entry.attributes()));
    json.close();
    page.next()
        .ifPresent(
            next -> {
              json.text("next", next);
              json.text("next_page", "/v1/" + plural + "?after=" + encoded(next));
            });
    json.close();
    return JsonText.answer(text.toString().getBytes(StandardCharsets.UTF_8));
  }

  private static HttpAnswer single(String kind, Views.ShownObject entry, Optional<String> why) {
    StringBuilder text = new StringBuilder();
    Json json = new Json(text).open(null);
    json.text("id", entry.name());
    why.ifPresent(words -> json.text("why", words));
    json.object(kind, entry.attributes()).close();
    return JsonText.answer(text.toString().getBytes(StandardCharsets.UTF_8));
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
