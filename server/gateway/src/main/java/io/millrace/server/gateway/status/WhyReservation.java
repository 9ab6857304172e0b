package io.millrace.server.gateway.status;

import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.jobs.ReservationIds;
import io.millrace.schemas.pbs.jobs.TransactionTimes;
import io.millrace.schemas.state.LostNode;
import io.millrace.schemas.state.OthersAtStart;
import io.millrace.schemas.state.PartOf;
import io.millrace.schemas.state.PastReservation;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationState;
import io.millrace.schemas.state.ReservationWhole;
import io.millrace.server.gateway.command.Site;
import io.millrace.server.gateway.link.ClusterView;
import io.millrace.server.gateway.print.ObjectText;
import io.millrace.server.gateway.print.Times;
import io.millrace.server.gateway.query.QueryException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** In words, how a reservation stands, or how one has ended that is still known. */
final class WhyReservation {

  private final Site site;
  private final Times times;

  WhyReservation(Site site, Times times) {
    this.site = site;
    this.times = times;
  }

  /**
   * @param id full name, {@code R7.server}
   * @return empty when there is none, and none is remembered
   */
  Optional<String> explain(String id) throws QueryException, InterruptedException {
    long number = ReservationIds.number(id);
    if (number < 0) {
      return Optional.empty();
    }
    Optional<Reservation> found =
        site.queries().reservation(number).filter(it -> it.getId().equals(id));
    if (found.isPresent()) {
      return Optional.of(present(found.get()));
    }
    return site.queries().pastReservations().stream()
        .filter(it -> it.getReservation().getId().equals(id))
        .findFirst()
        .map(this::past);
  }

  /**
   * Of one that has parts: what is missing of it, and how each part stands.
   *
   * @param id full name, {@code W7.server}
   */
  Optional<String> explainWhole(String id) throws QueryException, InterruptedException {
    Map<Integer, String> parts = new TreeMap<>();
    Map<Integer, String> missing = new TreeMap<>();
    List<String> names = new ArrayList<>();
    PartOf whole = null;
    for (Reservation each : site.queries().reservations()) {
      if (isPart(each, id)) {
        whole = each.getWhole();
        parts.put(whole.getPart(), named(each) + present(each));
      }
    }
    for (PastReservation each : site.queries().pastReservations()) {
      if (isPart(each.getReservation(), id)) {
        whole = each.getReservation().getWhole();
        missing.put(whole.getPart(), named(each.getReservation()) + past(each));
      }
    }
    if (whole != null) {
      names.addAll(whole.getPartitions());
    }
    List<String> lines = new ArrayList<>();
    for (ReservationWhole each : site.queries().wholes()) {
      if (each.getId().equals(id)) {
        names.clear();
        each.getParts().forEach(it -> names.add(it.getPartition()));
        WhyElsewhere.parts(each, parts, missing);
        lines.addAll(WhyElsewhere.progress(each));
      }
    }
    if (names.isEmpty()) {
      return Optional.empty();
    }
    int all = names.size();
    for (int i = 0; i < all; i++) {
      if (!parts.containsKey(i)) {
        missing.putIfAbsent(i, names.get(i) + ": nothing is known of it.");
      }
    }
    missing.keySet().removeAll(parts.keySet());
    lines.addAll(missing.values());
    lines.addAll(parts.values());
    String count =
        missing.isEmpty()
            ? "all " + all + " parts are there."
            : missing.size() + " of " + all + " parts are missing.";
    return Optional.of(count + " " + String.join(" ", lines));
  }

  private static boolean isPart(Reservation reservation, String id) {
    return reservation.getWhole() != null && reservation.getWhole().getWhole().equals(id);
  }

  private static String named(Reservation part) {
    return part.getSpec().getPartition() + ": " + part.getQueue() + " ";
  }

  private String past(PastReservation past) {
    Reservation last = past.getReservation();
    String by = last.getEndedBy().isEmpty() ? "" : " by " + last.getEndedBy();
    boolean over = last.getState() == ReservationState.FINISHED;
    String never = last.getShares().isEmpty() ? " without having been confirmed" : "";
    String why = past.getWhy().isEmpty() || past.getWhy().equals("deleted") ? "" : past.getWhy();
    return (over ? "its time is over; ended" : "deleted" + by + never)
        + " at "
        + times.ctime(past.getEndedMs())
        + (over || why.isEmpty() ? "." : ": " + why + ".");
  }

  private String present(Reservation one) throws QueryException, InterruptedException {
    return switch (one.getState()) {
      case UNCONFIRMED ->
          "not confirmed since "
              + times.ctime(one.getCreatedMs())
              + ". "
              + scheduler(one)
              + " At "
              + times.ctime(deniedMs(one))
              + " it is denied.";
      case BEING_DELETED, DELETING_JOBS -> ending(one);
      default -> confirmed(one);
    };
  }

  /**
   * At its start, unless who has asked is not that patient or what is held ends by itself before.
   */
  private static long deniedMs(Reservation one) {
    long startMs = one.getSpec().getStartMs();
    boolean waited = one.getInteractiveS() < 0 && one.getAnswerDueMs() > 0;
    long askedMs = waited ? Math.min(startMs, one.getAnswerDueMs()) : startMs;
    return TransactionTimes.endsByItself(one)
        ? Math.min(askedMs, TransactionTimes.dueMs(one))
        : askedMs;
  }

  private String ending(Reservation one) {
    String by = one.getEndedBy().isEmpty() ? "" : " by " + one.getEndedBy();
    if (one.getState() == ReservationState.BEING_DELETED) {
      return "deleted" + by + "; it waits for the end of its jobs.";
    }
    List<Long> later = one.getSpec().getLaterMs();
    return later.isEmpty()
        ? "its time is over; it waits for the end of its jobs."
        : occurrence(one) + " is over; it waits for the end of its runs." + next(later);
  }

  private String confirmed(Reservation one) throws QueryException, InterruptedException {
    StringBuilder words = new StringBuilder();
    String by = one.getScheduler().isEmpty() ? "" : " by scheduler " + one.getScheduler();
    String end = times.ctime(one.getSpec().getEndMs());
    if (one.getStartedMs() >= 0) {
      words.append("its window has begun and lasts until ").append(end);
      words.append(", on ").append(one.getNodes()).append('.');
    } else {
      words.append("confirmed").append(by).append(" on ").append(one.getNodes());
      words.append("; its window begins at ").append(times.ctime(one.getSpec().getStartMs()));
      words.append(" and lasts until ").append(end).append('.');
    }
    if (!one.getJob().isEmpty()) {
      boolean soonest = one.getSpec().getSoonest();
      words.append(soonest ? " It was made for job " : " It was made of the run of job ");
      words.append(one.getJob()).append('.');
    }
    if (one.getIdleDueMs() > 0) {
      words.append(" It has no job; if it gets none it is deleted at ");
      words.append(times.ctime(one.getIdleDueMs())).append('.');
    }
    if (!one.getSpec().getRule().isEmpty()) {
      words.append(" That is ").append(occurrence(one));
      words.append(one.getUsual() == null ? "." : ", which alone was altered.");
      words.append(next(one.getSpec().getLaterMs()));
    }
    if (!one.getLost().isEmpty()) {
      List<String> lost = new ArrayList<>();
      one.getLost().forEach(it -> lost.add(lost(it)));
      words.append(" Lost: ").append(String.join(", ", lost)).append("; others are looked for");
      words.append(" whenever there may be room, and at ");
      words.append(times.ctime(one.getRetryMs())).append('.');
    }
    OthersAtStart others = one.getSpec().getOthers();
    if (others != null && one.getStartedMs() < 0) {
      long leadMs = one.getSpec().getStartMs() - others.getLeadMs();
      words.append(" What others run on its nodes then is ");
      words.append(RunsGivingWay.how(others.getAction())).append(" at ");
      words.append(times.ctime(leadMs)).append('.');
    }
    if (one.getAsked() != null) {
      words.append(" It is to be altered: ").append(scheduler(one));
    }
    if (one.getWhole() != null) {
      words.append(" It is a part of ").append(one.getWhole().getWhole()).append('.');
    }
    if (one.getPending() != null) {
      words.append(" A change of it by ").append(one.getPending().getBy());
      words.append(" has been held since ").append(times.ctime(one.getPending().getOpenedMs()));
      words.append(" and is neither committed nor aborted.");
    }
    return words.toString();
  }

  private String lost(LostNode lost) {
    String with = lost.getTakenBy().isEmpty() ? "" : " with " + lost.getTakenBy();
    String since = " since " + times.ctime(lost.getSinceMs());
    return lost.getNode() + " (" + lost.getWhy() + with + since + ")";
  }

  private static String occurrence(Reservation one) {
    return "occurrence " + one.getOccurrence() + " of " + one.getOccurrences();
  }

  private String next(List<Long> later) {
    return later.isEmpty() ? "" : " The next one begins at " + times.ctime(later.get(0)) + ".";
  }

  /** What keeps the scheduler of the partition from its decision. */
  private String scheduler(Reservation one) throws QueryException, InterruptedException {
    String partition = one.getSpec().getPartition();
    Optional<ClusterObject> object = site.cluster().find(ObjectKind.PARTITION, partition);
    String name = object.flatMap(it -> ClusterView.attribute(it, "scheduler")).orElse("");
    if (name.isEmpty()) {
      return "No scheduler serves partition " + partition + ".";
    }
    boolean scheduling =
        site.cluster()
            .find(ObjectKind.SCHEDULER, name)
            .flatMap(it -> ClusterView.attribute(it, "scheduling"))
            .map("True"::equals)
            .orElse(false);
    if (!scheduling) {
      return "Scheduler " + name + " has scheduling switched off.";
    }
    boolean reachable =
        site.queries().schedulers().stream()
            .anyMatch(it -> it.getName().equals(name) && ObjectText.reachable(it));
    return reachable
        ? "Scheduler " + name + " has not decided yet."
        : "The engine of scheduler " + name + " is down.";
  }
}
