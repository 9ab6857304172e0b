package io.millrace.server.web.route;

import io.millrace.schemas.pbs.PbsError;
import io.millrace.server.gateway.session.RecordedSessions;
import io.millrace.server.http.HttpAnswer;
import java.io.IOException;
import java.util.List;

/** The thin client's own frames, for commands that read and write files where they are called. */
public final class SessionRoutes {

  private static final String FRAMES = "application/x-millrace-frames";

  private final RecordedSessions sessions;

  public SessionRoutes(RecordedSessions sessions) {
    this.sessions = sessions;
  }

  /** Their rows of the table of routes. */
  public List<Route> routes() {
    return List.of(
        new Route(
            "POST",
            "/v1/session",
            "A command in the frames of the thin client: its opening and its answers so far",
            Route.RouteFacts.of(FRAMES).taking(FRAMES),
            this::run));
  }

  private HttpAnswer run(RouteRequest asked) throws Problem, InterruptedException {
    try {
      byte[] frames =
          sessions.run(
              asked.principal().user(),
              asked.principal().group(),
              () -> PeerNames.host(asked.peer()),
              asked.body());
      return HttpAnswer.whole(200, FRAMES, frames);
    } catch (RecordedSessions.TooMuchOutput e) {
      throw new Problem(413, PbsError.INVALID_REQUEST, e.getMessage());
    } catch (IOException e) {
      throw Problem.bad(e.getMessage());
    }
  }
}
