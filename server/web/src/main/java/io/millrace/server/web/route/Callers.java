package io.millrace.server.web.route;

import io.millrace.schemas.pbs.PbsError;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Site;
import io.millrace.server.gateway.link.LinkException;
import io.millrace.server.gateway.query.QueryException;
import io.millrace.server.gateway.session.SharedBytes;
import io.millrace.server.http.HttpAnswer;
import io.millrace.server.web.credential.Accounts;
import java.io.IOException;
import java.util.List;

/** Verified callers as the gateway's commands know them: with a role, a home and a view. */
public final class Callers {

  private final Site site;
  private final Accounts accounts;
  private final SharedBytes output;

  /**
   * @param output in which what is told on the way is held
   */
  public Callers(Site site, Accounts accounts, SharedBytes output) {
    this.site = site;
    this.accounts = accounts;
    this.output = output;
  }

  /** What a route does as its caller. */
  public interface CallerWork {
    HttpAnswer answer(Call call)
        throws Problem, LinkException, QueryException, IOException, InterruptedException;
  }

  /** Carries out a request as a command of its caller would be. */
  public HttpAnswer carryOut(RouteRequest asked, String name, CallerWork work)
      throws Problem, IOException, InterruptedException {
    String user = asked.principal().user();
    String home = accounts.find(user).map(Accounts.Account::home).orElse("/");
    CommandBody nothing = CommandBody.parse(new byte[0], user, home);
    WebInvocation invocation = new WebInvocation(asked, name, nothing, output);
    try {
      return work.answer(new Call(invocation, site, name, List.of()));
    } catch (LinkException | QueryException e) {
      throw new Problem(503, PbsError.NO_SERVER, "cannot connect to server: " + e.getMessage());
    } finally {
      invocation.release();
    }
  }
}
