package io.millrace.server.campaigns.rest;

import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.http.HttpAnswer;
import io.millrace.server.web.credential.CredentialKind;
import io.millrace.server.web.credential.Principal;
import io.millrace.server.web.route.Problem;
import io.millrace.server.web.route.RouteRequest;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/** What CiGri's paths answer, for commands that show it as it is. */
public enum CigriDump {
  CAMPAIGNS(CigriCampaigns::list),
  CAMPAIGN(CigriCampaigns::one),
  EVENTS(CigriEvents::ofCampaign),
  JOBS(CigriJobs::list),
  JOB(CigriJobs::one);

  /** Answers a request. */
  private interface DumpWork {
    HttpAnswer answer(RouteRequest asked, Call call)
        throws CigriRefusal, Failure, Problem, InterruptedException;
  }

  private final DumpWork work;

  CigriDump(DumpWork work) {
    this.work = work;
  }

  /**
   * The answer's text.
   *
   * @param variables of the path: id of the campaign, job
   * @param query offset, for instance
   */
  public String text(Call call, Map<String, String> variables, Map<String, String> query)
      throws Failure, InterruptedException {
    Principal caller =
        new Principal(call.invocation().user(), call.meta().getGroup(), CredentialKind.NONE);
    RouteRequest asked =
        new RouteRequest(
            caller,
            "",
            Map.copyOf(variables),
            new HashMap<>(query),
            new byte[0],
            Map.of(),
            UUID.randomUUID());
    try {
      HttpAnswer.WholeBody body = (HttpAnswer.WholeBody) work.answer(asked, call).body();
      return new String(body.bytes(), StandardCharsets.UTF_8);
    } catch (CigriRefusal | Problem e) {
      throw call.failure(e.getMessage(), 1);
    }
  }
}
