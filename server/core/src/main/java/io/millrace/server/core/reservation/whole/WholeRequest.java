package io.millrace.server.core.reservation.whole;

import io.millrace.schemas.command.ReserveTogether;
import io.millrace.schemas.pbs.jobs.ReservationIds;
import io.millrace.schemas.state.PartState;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.schemas.state.ReservationWhole;
import io.millrace.schemas.state.SitePart;
import io.millrace.schemas.state.SiteWish;
import io.millrace.schemas.state.WholePart;
import io.millrace.schemas.state.WholeState;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.PbsRefusal;
import io.millrace.server.core.decision.RecordSizes;
import io.millrace.server.core.placement.PartitionTable;
import io.millrace.server.core.reservation.ElsewhereCheck;
import io.millrace.server.core.state.CutText;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** What is asked for with several parts. */
final class WholeRequest {
  /** Most parts: each is a message to a shard or a site, and all are in one record. */
  static final int PARTS_MAX = 64;

  /** How long the schedulers have together. */
  static final long HOLD_MS = 10_000;

  /** The same where another installation has to be reached, and its scheduler has as long. */
  static final long SITES_HOLD_MS = 20_000;

  private static final Pattern SITE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]{0,62}");
  private static final int ARGUMENTS_MAX = 64;
  private static final int ARGUMENT_MAX = 4096;

  /**
   * Most bytes of what is asked of other installations together: it is in memory, and is written
   * again with each thing that is heard of a part.
   */
  static final long WISHES_BYTES_MAX = 64 << 10;

  private WholeRequest() {}

  /** Whose it is to be; without a part here the caller's. */
  static String owner(Context c, ReserveTogether command) {
    List<ReservationSpec> specs = command.getParts();
    return specs.isEmpty() ? c.meta().getPrincipal() : specs.get(0).getOwner();
  }

  /** What is wrong with a request; empty for nothing. */
  static String wrong(Context c, ReserveTogether command) {
    List<ReservationSpec> specs = command.getParts();
    int count = specs.size() + command.getSites().size();
    if (count < 1 || count > PARTS_MAX) {
      return "there are 1 to " + PARTS_MAX + " parts";
    }
    Set<String> names = new HashSet<>();
    for (ReservationSpec spec : specs) {
      String partition = spec.getPartition();
      if (PartitionTable.shardOf(c.view(), partition) < 0) {
        return "unknown partition: " + shown(partition);
      }
      if (!names.add(partition)) {
        return shown(partition) + " is named twice";
      }
      if (!spec.getOwner().equals(specs.get(0).getOwner())) {
        return "the parts have one owner";
      }
    }
    for (SiteWish wish : command.getSites()) {
      if (!SITE.matcher(wish.getSite()).matches() || wish.getNodes() < 1) {
        return "illegal part of another installation: " + shown(name(wish));
      }
      if (!names.add(name(wish))) {
        return shown(name(wish)) + " is named twice";
      }
    }
    if (isMuch(command)) {
      return "what is asked of other installations would have more than "
          + WISHES_BYTES_MAX
          + " bytes, or arguments that are too long";
    }
    boolean window = command.getEndMs() > c.nowMs() && command.getStartMs() < command.getEndMs();
    return command.getSites().isEmpty() || window ? "" : "the window is over";
  }

  private static boolean isMuch(ReserveTogether command) {
    List<String> arguments = command.getArguments();
    long bytes = command.getSites().stream().mapToLong(RecordSizes::of).sum();
    for (String each : arguments) {
      bytes += each.length() > ARGUMENT_MAX ? WISHES_BYTES_MAX : each.length();
    }
    return arguments.size() > ARGUMENTS_MAX || bytes >= WISHES_BYTES_MAX;
  }

  /**
   * Whether its owner may reserve elsewhere: as here, though no shard of a part looks at it.
   *
   * @param all that this shard has
   */
  static void checkElsewhere(Context c, ReserveTogether command, List<ReservationWhole> all)
      throws PbsRefusal {
    if (command.getSites().isEmpty()) {
      return;
    }
    List<ReservationSpec> specs = command.getParts();
    String owner = owner(c, command);
    long ofAll = all.stream().mapToLong(WholeRequest::elsewhere).sum();
    long ofOwner =
        all.stream()
            .filter(it -> it.getOwner().equals(owner))
            .mapToLong(WholeRequest::elsewhere)
            .sum();
    ElsewhereCheck.check(
        c,
        new ElsewhereCheck.ElsewhereOwner(
            owner,
            specs.isEmpty() ? c.meta().getGroup() : specs.get(0).getGroup(),
            specs.isEmpty() ? c.meta().getHost() : specs.get(0).getSubmitHost()),
        command,
        new ElsewhereCheck.ElsewhereCount(ofOwner, ofAll));
  }

  private static long elsewhere(ReservationWhole whole) {
    return whole.getParts().stream()
        .filter(it -> it.getThere() != null && it.getState() != PartState.GONE)
        .count();
  }

  private static String shown(String name) {
    return CutText.of(name, WholeProgress.WHY_MAX);
  }

  private static String name(SiteWish wish) {
    return wish.getSite() + ":" + wish.getPartition();
  }

  static ReservationWhole fresh(Context c, long number, ReserveTogether command) {
    List<WholePart> parts = new ArrayList<>();
    for (ReservationSpec spec : command.getParts()) {
      int shard = PartitionTable.shardOf(c.view(), spec.getPartition());
      parts.add(part(spec.getPartition(), shard, null));
    }
    for (SiteWish wish : command.getSites()) {
      SitePart there = SitePart.newBuilder().setWish(wish).setHoldId(c.asShard().getId()).build();
      parts.add(part(name(wish), -1, there));
    }
    long holdMs = command.getSites().isEmpty() ? HOLD_MS : SITES_HOLD_MS;
    return ReservationWhole.newBuilder()
        .setId(ReservationIds.whole(number) + "." + c.serverName())
        .setNumber(number)
        .setOwner(owner(c, command))
        .setState(WholeState.HOLDING)
        .setParts(parts)
        .setArguments(command.getArguments())
        .setStartMs(command.getStartMs())
        .setEndMs(command.getEndMs())
        .setCreatedMs(c.nowMs())
        .setDueMs(c.nowMs() + holdMs)
        .setWaiting(c.meta().getReplyTo() >= 0 ? c.meta() : null)
        .build();
  }

  private static WholePart part(String name, int shard, SitePart there) {
    return WholePart.newBuilder()
        .setPartition(name)
        .setShard(shard)
        .setState(PartState.ASKED)
        .setThere(there)
        .build();
  }
}
