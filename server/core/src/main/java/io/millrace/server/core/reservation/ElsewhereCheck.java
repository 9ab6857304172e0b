package io.millrace.server.core.reservation;

import io.millrace.schemas.command.ReserveTogether;
import io.millrace.schemas.common.ResourceRequest;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.PbsRefusal;
import java.util.List;
import java.util.Map;

/**
 * Whether somebody may reserve in other installations through this one: by the lists, limits and
 * times that hold here.
 */
public final class ElsewhereCheck {

  /** Whose it is to be. */
  public record ElsewhereOwner(String user, String group, String host) {}

  /** Parts elsewhere that this shard has already. */
  public record ElsewhereCount(long ofOwner, long ofAll) {}

  private ElsewhereCheck() {}

  public static void check(
      Context c, ElsewhereOwner owner, ReserveTogether command, ElsewhereCount there)
      throws PbsRefusal {
    ReservationSpec spec =
        ReservationSpec.newBuilder()
            .setOwner(owner.user())
            .setGroup(owner.group())
            .setSubmitHost(owner.host())
            .setStartMs(command.getStartMs())
            .setEndMs(command.getEndMs())
            .setRequest(new ResourceRequest(List.of(), "", -1L, Map.of()))
            .setResourceList(List.of())
            .build();
    ReservationRequest.checkAccess(c, spec);
    ReservationRequest.checkWindow(c, command.getStartMs(), command.getEndMs());
    // One more must fit for a single part.
    long more = command.getSites().size() - 1L;
    ReservationLimits.check(c, spec, there.ofOwner() + more, there.ofAll() + more);
  }
}
