package io.millrace.server.core.reservation;

import io.millrace.schemas.command.SubmitReservation;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.Chunk;
import io.millrace.schemas.common.ResourceRequest;
import io.millrace.schemas.fact.ReservationSubmitted;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.pbs.attributes.AccessList;
import io.millrace.schemas.pbs.jobs.ReservationIds;
import io.millrace.schemas.pbs.resources.Amounts;
import io.millrace.schemas.state.AwaitedReservation;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.schemas.state.ReservationState;
import io.millrace.schemas.state.TransactionKind;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import io.millrace.server.core.decision.PbsRefusal;
import io.millrace.server.core.decision.RecordSizes;
import io.millrace.server.core.job.submit.Requests;
import io.millrace.server.core.number.NumberBlocks;
import io.millrace.server.core.parking.Parking;
import io.millrace.server.core.placement.PartitionTable;
import io.millrace.server.core.placement.Reservations;
import io.millrace.server.core.state.Copies;
import io.millrace.server.core.state.Keys;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Decides what is asked for: who may, for when, and how much. */
final class ReservationRequest {
  /** Most characters of a name, as in PBS. */
  static final int NAME_MAX = 230;

  /** Most chunks: each is a share of the record, and the record is one message. */
  static final int CHUNKS_MAX = 5_000;

  /** Most bytes of what is asked for: all reservations of a shard are in memory. */
  static final long SPEC_BYTES_MAX = 64 << 10;

  /** Longest wait for an answer. */
  static final long INTERACTIVE_MAX_S = 86_400;

  /** Times that no clock comes to, in milliseconds: the end of the year 9999. */
  private static final long TIME_MAX_MS = 253_402_300_799_000L;

  /** Ten years. */
  private static final long IDLE_MAX_S = 10 * 365 * 86_400L;

  private static final long SECOND_MS = 1000;
  static final String WALLTIME = "walltime";

  private ReservationRequest() {}

  static Decision decide(Context c, SubmitReservation command) {
    ReservationSpec wish = command.getSpec();
    int shard = PartitionTable.shardOf(c.view(), wish.getPartition());
    if (shard < 0) {
      return Decision.rejected(c, PbsError.ILLEGAL_VALUE, " partition");
    }
    if (shard != c.shard()) {
      return Decision.none().tell(shard, command);
    }
    if (c.view().table(AwaitedReservation.class).get(Keys.command(c.meta().getId())) != null) {
      return Decision.none();
    }
    try {
      if (!c.isManager() && !wish.getOwner().equals(c.meta().getPrincipal())) {
        throw new PbsRefusal(PbsError.UNAUTHORIZED);
      }
      ReservationSpec spec = checked(c, Maintenance.whole(c, wish));
      checkInteractive(command.getInteractiveS());
      if (command.getTransaction() && Pending.refuses(spec)) {
        throw new PbsRefusal(PbsError.UNSUPPORTED, Pending.REFUSED);
      }
      ReservationLimits.check(c, spec);
      return submit(c, command, spec);
    } catch (PbsRefusal e) {
      return Decision.rejected(c, e);
    }
  }

  private static Decision submit(Context c, SubmitReservation command, ReservationSpec spec) {
    Decision decision = Decision.none();
    NumberBlocks blocks = new NumberBlocks(c);
    blocks.request(decision, 1);
    if (blocks.left() < 1) {
      return Parking.park(c, Parking.Cause.NUMBERS, "", command, decision);
    }
    Reservation fresh = fresh(c, blocks.take(), spec);
    fresh.setAtOnce(command.getAtOnce());
    if (command.getTransaction()) {
      fresh.setPending(Pending.of(c, TransactionKind.RESERVE));
    }
    if (Reservations.isMaintenance(fresh)) {
      return Maintenance.begin(c, fresh, decision);
    }
    long seconds = command.getInteractiveS();
    if (seconds != 0 && c.meta().getReplyTo() >= 0) {
      wait(c, fresh, seconds);
      fresh.setInteractiveS(command.getOwnWait() ? 0 : seconds);
    } else {
      decision.answer(c.meta(), 0, List.of(fresh.getId() + " " + Revision.UNCONFIRMED));
    }
    return decision.fact(new ReservationSubmitted(c.stamp(), fresh));
  }

  /** Has the command wait for the scheduler, for a time that is counted by the shard's clock. */
  static void wait(Context c, Reservation reservation, long seconds) {
    reservation.setInteractiveS(seconds);
    reservation.setWaiting(c.meta());
    reservation.setAnswerDueMs(c.nowMs() + Math.abs(seconds) * SECOND_MS);
  }

  static void checkInteractive(long seconds) throws PbsRefusal {
    if (seconds < -INTERACTIVE_MAX_S || seconds > INTERACTIVE_MAX_S) {
      throw new PbsRefusal(
          PbsError.ILLEGAL_VALUE, " interactive: at most " + INTERACTIVE_MAX_S + " seconds");
    }
  }

  static Reservation fresh(Context c, long number, ReservationSpec spec) {
    String queue = queue(number, spec);
    return Reservation.newBuilder()
        .setId(queue + "." + c.serverName())
        .setNumber(number)
        .setQueue(queue)
        .setSpec(spec)
        .setState(ReservationState.UNCONFIRMED)
        .setSubstate(ReservationState.UNCONFIRMED)
        .setCreatedMs(c.nowMs())
        .setModifiedMs(c.nowMs())
        .setOccurrences(1 + spec.getLaterMs().size())
        .build();
  }

  private static String queue(long number, ReservationSpec spec) {
    if (!spec.getMaintained().isEmpty()) {
      return ReservationIds.maintenance(number);
    }
    return spec.getRule().isEmpty()
        ? ReservationIds.advance(number)
        : ReservationIds.standing(number);
  }

  /** What anybody may ask for, whoever passes it on. */
  static ReservationSpec checked(Context c, ReservationSpec wish) throws PbsRefusal {
    checkAccess(c, wish);
    checkWindow(c, wish.getStartMs(), wish.getEndMs());
    if (wish.getStartMs() < c.nowMs()) {
      throw new PbsRefusal(PbsError.BAD_TIMES);
    }
    checkRequest(wish.getRequest());
    RepeatedTimes.check(c, wish);
    ReservationSpec spec = Copies.of(wish);
    spec.setOthers(RunsOfOthers.asked(c, wish));
    return measured(withOwner(spec));
  }

  /** With its owner among those who may use it. */
  static ReservationSpec withOwner(ReservationSpec spec) {
    List<String> users = new ArrayList<>(spec.getUsers());
    String owner = spec.getOwner() + "@" + spec.getSubmitHost();
    if (!users.contains(owner)) {
      users.add(owner);
    }
    spec.setUsers(users);
    return spec;
  }

  /** The specification with the length of its window, if it is not too long for a record. */
  static ReservationSpec measured(ReservationSpec spec) throws PbsRefusal {
    if (spec.getName().length() > NAME_MAX) {
      throw new PbsRefusal(PbsError.ILLEGAL_VALUE, " Reserve_Name");
    }
    if (spec.getDeleteIdleS() < -1 || spec.getDeleteIdleS() > IDLE_MAX_S) {
      throw new PbsRefusal(PbsError.ILLEGAL_VALUE, " delete_idle_time");
    }
    long seconds = (spec.getEndMs() - spec.getStartMs()) / SECOND_MS;
    ResourceRequest asked = spec.getRequest();
    spec.setRequest(
        new ResourceRequest(asked.getChunks(), asked.getPlace(), seconds, asked.getJobWide()));
    List<Attribute> shown = new ArrayList<>();
    for (Attribute each : spec.getResourceList()) {
      boolean length = each.getName().equals(WALLTIME);
      shown.add(length ? new Attribute(WALLTIME, Amounts.formatDuration(seconds)) : each);
    }
    spec.setResourceList(shown);
    if (RecordSizes.of(spec) > SPEC_BYTES_MAX) {
      throw new PbsRefusal(
          PbsError.INVALID_REQUEST,
          ": the reservation would have more than " + SPEC_BYTES_MAX + " bytes");
    }
    return spec;
  }

  /** Whether reservations are made at all, and from this host, for this group and user. */
  static void checkAccess(Context c, ReservationSpec wish) throws PbsRefusal {
    if ("False".equals(c.server("resv_enable", "True"))) {
      throw new PbsRefusal(PbsError.RESERVATIONS_OFF, c.server("server_host", "this server"));
    }
    String hosts = list(c, "host");
    if (hosts != null && !AccessList.allowsHost(hosts, wish.getSubmitHost())) {
      throw new PbsRefusal(PbsError.RESERVATION_HOST);
    }
    String groups = list(c, "group");
    if (groups != null && !AccessList.allowsGroup(groups, Set.of(wish.getGroup()))) {
      throw new PbsRefusal(PbsError.RESERVATION_GROUP);
    }
    String users = list(c, "user");
    if (users != null && !AccessList.allowsUser(users, wish.getOwner(), wish.getSubmitHost())) {
      throw new PbsRefusal(PbsError.RESERVATION_USER);
    }
  }

  private static String list(Context c, String what) {
    boolean enabled = "True".equals(c.server("acl_resv_" + what + "_enable", "False"));
    return enabled ? c.server("acl_resv_" + what + "s", "") : null;
  }

  static void checkWindow(Context c, long startMs, long endMs) throws PbsRefusal {
    boolean times = startMs > 0 && endMs <= TIME_MAX_MS && endMs - startMs >= SECOND_MS;
    if (!times || endMs <= c.nowMs() || !ReservationLimits.isNear(c, endMs)) {
      throw new PbsRefusal(PbsError.BAD_TIMES);
    }
    ReservationLimits.checkLength(c, endMs - startMs);
  }

  /** Chunks as a job may have them, whose sums are numbers. */
  static void checkRequest(ResourceRequest request) throws PbsRefusal {
    if (!Requests.sound(request)) {
      throw new PbsRefusal(PbsError.ILLEGAL_VALUE);
    }
    long chunks = 0;
    Map<String, Long> sums = new HashMap<>(request.getJobWide());
    for (Chunk chunk : request.getChunks()) {
      chunks += chunk.getCount();
      for (Map.Entry<String, Long> amount : chunk.getAmounts().entrySet()) {
        try {
          long all = Math.multiplyExact(amount.getValue(), (long) chunk.getCount());
          sums.merge(amount.getKey(), all, Math::addExact);
        } catch (ArithmeticException e) {
          throw new PbsRefusal(PbsError.ILLEGAL_VALUE, " Resource_List." + amount.getKey());
        }
      }
    }
    if (chunks > CHUNKS_MAX) {
      throw new PbsRefusal(PbsError.ILLEGAL_VALUE, " select: at most " + CHUNKS_MAX + " chunks");
    }
  }
}
