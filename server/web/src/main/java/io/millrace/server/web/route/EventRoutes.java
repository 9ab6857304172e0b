package io.millrace.server.web.route;

import io.millrace.schemas.pbs.PbsError;
import io.millrace.server.gateway.status.Views;
import io.millrace.server.http.AnswerSink;
import io.millrace.server.http.AnswerSource;
import io.millrace.server.http.HttpAnswer;
import io.millrace.server.web.event.ChangeText;
import io.millrace.server.web.event.EventFilter;
import io.millrace.server.web.event.Feed;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;

/** Changes as server-sent events. */
public final class EventRoutes {

  private static final String EVENTS = "text/event-stream";

  private final Feed feed;
  private final Views views;

  public EventRoutes(Feed feed, Views views) {
    this.feed = feed;
    this.views = views;
  }

  /** Their rows of the table of routes. */
  public List<Route> routes() {
    return List.of(
        new Route(
            "GET",
            "/v1/events",
            "Changes of jobs, nodes, queues, reservations and campaigns as they come, as server-sent events",
            Route.RouteFacts.of(
                EVENTS,
                Route.Parameter.query(
                    "kinds",
                    "string",
                    "some of job,node,queue,reservation,campaign; all if absent"),
                Route.Parameter.query(
                    "from",
                    "string",
                    "id of an event to go on behind, as the header Last-Event-ID")),
            this::events));
  }

  private HttpAnswer events(RouteRequest asked) throws Problem, InterruptedException {
    Set<String> kinds = kinds(asked.query("kinds"));
    String from = asked.query("from").orElse(asked.lastEvent());
    String user = asked.principal().user();
    if (!feed.enter(user)) {
      throw new Problem(429, PbsError.NO_SERVER, "too many listen already; close one of yours");
    }
    boolean begun = false;
    try {
      int partitions =
          feed.ready()
              .orElseThrow(
                  () -> new Problem(503, PbsError.NO_SERVER, "changes cannot be read now"));
      if (!from.isEmpty() && !Feed.isPosition(from, partitions)) {
        throw Problem.bad("this is no id of an event: " + from);
      }
      EventFilter interest =
          EventFilter.of(
              kinds,
              user,
              () -> PeerNames.host(asked.peer()),
              (who, host) -> views.seesAll(who, () -> host));
      begun = true;
      return HttpAnswer.open(EVENTS, new EventListening(feed, user, interest, from));
    } finally {
      if (!begun) {
        feed.leave(user);
      }
    }
  }

  private static Set<String> kinds(Optional<String> given) throws Problem {
    Set<String> all =
        Arrays.stream(ChangeText.ChangedObjectKind.values())
            .map(ChangeText.ChangedObjectKind::word)
            .collect(Collectors.toCollection(TreeSet::new));
    if (given.isEmpty()) {
      return all;
    }
    Set<String> some = new TreeSet<>(Arrays.asList(given.get().split(",", -1)));
    if (!all.containsAll(some)) {
      throw Problem.bad("kinds are some of " + String.join(",", all) + ", not " + given.get());
    }
    return some;
  }

  private record EventListening(
      Feed feed, String user, EventFilter interest, String from, AtomicBoolean left)
      implements AnswerSource {

    EventListening(Feed feed, String user, EventFilter interest, String from) {
      this(feed, user, interest, from, new AtomicBoolean());
    }

    @Override
    public void begin(AnswerSink sink) {
      feed.listen(sink, interest, from);
    }

    @Override
    public void gone() {
      if (left.compareAndSet(false, true)) {
        feed.leave(user);
      }
    }
  }
}
